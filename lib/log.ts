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
    redact: ["*.authorization", "*.cookie", "*.password"],
  },
  pino.destination({ dest: 2, sync: true }),
);
