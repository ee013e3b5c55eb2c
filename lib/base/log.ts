import { pino } from "pino";
import type { Logger } from "pino";
import { LogOutput } from "./internal/log-output.ts";
import { THIS_PROCESS } from "./this-process.ts";

const output = new LogOutput((lines) =>
  log.warn({ lines }, "Lines of the log were dropped: nobody read it."),
);

/**
 * The log: one JSON line per entry, on standard error, so that a command's output stays readable. Each line names its
 * process, because the two processes of a server share standard error. Credentials are never logged. If a header object
 * slips in, its secrets are redacted. So is any text that looks like one of our secrets, such as the token in the path
 * of an inbox.
 */
export const log: Logger = pino(
  {
    base: THIS_PROCESS,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: toLoggedError },
    redact: ["*.authorization", "*.cookie", "*.password"],
    hooks: { streamWrite: withoutSecrets },
  },
  output,
);

/** Logs that this process is starting, so that the log shows each restart and upgrade. */
export function logStart(): void {
  log.info({ node: process.version }, "The process is starting.");
}

/**
 * API keys, signing secrets, and the 43 characters of every other token (`newToken`). The letter of an escape such as `\n` is
 * no part of one, unless its backslash is escaped.
 */
const SECRETS =
  /fd_(?:test|live)_(?:c\d{1,4}_)?[0-9A-Za-z]{36}|whsec_[\w+/]{43}=?|(?:(?<![\w\\-])|(?<=\\[bfnrt])|(?<=(?<!\\)(?:\\\\)+))[\w-]{43}(?![\w-])/gu;

/** A line of the log without what looks like a secret. */
export function withoutSecrets(line: string): string {
  return line.replace(SECRETS, "[redacted]");
}

/**
 * An error in the form that is safe to log. A failed statement carries its parameters, including password and key hashes,
 * in its message and in properties of its own. Both are removed.
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

/** drizzle appends the parameters to the statement, up to the start of the stack. */
function withoutParameters(text: string): string {
  return text.replaceAll(/\nparams: [\s\S]*?(?=\n {4}at |$)/gu, "\nparams: …");
}
