import { pino } from "pino";
import type { Logger } from "pino";

/**
 * The log: a JSON line an occurrence, on standard error, so that what a command prints for people stays readable.
 * Credentials never get here; should a header object slip in, its secrets are cut out.
 */
export const log: Logger = pino(
  {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: toLoggedError },
    redact: ["*.authorization", "*.cookie", "*.password"],
  },
  pino.destination({ dest: 2, sync: true }),
);

/**
 * What the log may say of an error. A failed statement carries its parameters, password and key hashes among them, in
 * its message and in members of its own: those are cut out.
 */
export function toLoggedError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { message: String(error) };
  }
  return {
    type: error.name,
    message: withoutParameters(error.message),
    ...("code" in error ? { code: error.code } : {}),
    stack: withoutParameters(error.stack ?? ""),
    ...(error.cause === undefined ? {} : { cause: toLoggedError(error.cause) }),
  };
}

/** drizzle writes them behind the statement, up to where the stack begins. */
function withoutParameters(text: string): string {
  return text.replaceAll(/\nparams: [\s\S]*?(?=\n {4}at |$)/gu, "\nparams: …");
}
