import { execFile, spawn } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "#db/root.ts";

/** The installed executable of a package. */
export function command(name: string): string {
  return path.join(ROOT, "node_modules", ".bin", name);
}

/** Runs a command with its output shown, and returns whether it succeeded. */
export async function run(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...environment },
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

/** Runs a command with its errors shown, and returns what it prints. @throws Error when it fails. */
export async function read(file: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(file, args, {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  process.stderr.write(stderr);
  return stdout;
}

/** Prints what is being done, and how long it took. */
export async function step(title: string, work: () => Promise<boolean>): Promise<boolean> {
  const started = performance.now();
  say(`${title} …`);
  const passed = await work();
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  say(`${title}: ${passed ? "ok" : "FAILED"} (${seconds} s)`);
  return passed;
}

export function say(text: string): void {
  process.stdout.write(`floatdeck: ${text}\n`);
}
