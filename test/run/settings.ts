/**
 * The environment as a test file has it: with these settings, read at each use. It is what the file's
 * `vi.mock("#lib/base/env.ts", …)` makes, and is imported there, because mocks come before imports.
 */
export async function withSettings(
  original: <T>() => Promise<T>,
  settings: Readonly<Record<string, string>>,
): Promise<object> {
  const real = await original<{ readEnv(source: object): object }>();
  return { ...real, env: () => real.readEnv({ ...process.env, ...settings }) };
}
