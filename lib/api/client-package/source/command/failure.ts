import type { FloatdeckConnectionError, FloatdeckError } from "../problems.ts";

/** The command cannot go on; its message is for the person who called it. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

// The command's file and the library's are separate: their classes are known to each other by name.

export function isRefusal(error: unknown): error is FloatdeckError {
  return error instanceof Error && error.name === "FloatdeckError";
}

export function isConnectionError(error: unknown): error is FloatdeckConnectionError {
  return error instanceof Error && error.name === "FloatdeckConnectionError";
}
