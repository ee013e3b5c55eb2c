import { fstatSync, writeSync } from "node:fs";
import { logLineDropped } from "../signals.ts";

const STANDARD_ERROR = 2;

/** How many bytes may wait for a reader besides those in the pipe itself: a few thousand lines. */
export const WAITING_BYTES_MAX = 1_048_576;
const RETRY_MS = 20;

/** How long an ending process waits for a reader that is behind. */
const EXIT_WAIT_MS = 1_000;
const EXIT_RETRY_MS = 10;

/**
 * Standard error, for whole lines. A line is normally written before `write` returns, so that the last one before an
 * exit is not lost. But nothing waits for a slow reader, which would stop the server: lines then wait in memory, and
 * further ones are dropped until the reader has caught up. The reader is then told how many were dropped.
 */
export class LogOutput {
  private readonly reportDropped: (lines: number) => void;
  private readonly handle = findHandle();
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  private retry: NodeJS.Timeout | undefined;

  /** @param reportDropped writes a line that says how many were dropped. */
  constructor(reportDropped: (lines: number) => void) {
    this.reportDropped = reportDropped;
    process.once("exit", () => this.waitForReader());
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.dropped > 0 || this.waitingBytes + bytes.length > WAITING_BYTES_MAX) {
      this.dropped += 1;
      logLineDropped.report(null);
    } else {
      this.waiting.push(bytes);
      this.waitingBytes += bytes.length;
    }
    if (!this.retry) {
      this.send();
    }
  }

  /**
   * Writes the waiting lines.
   * @returns the code of the error that prevented it.
   */
  private send(): unknown {
    clearTimeout(this.retry);
    this.retry = undefined;
    // Repeated at each write, because a child process that inherits standard error makes it block again here, too.
    this.handle?.setBlocking(false);
    try {
      for (let [first] = this.waiting; first; [first] = this.waiting) {
        this.remove(first, writeSync(STANDARD_ERROR, first));
      }
    } catch (error) {
      // Retries after any error: even a full disk may have room again.
      this.retry = setTimeout(() => this.send(), RETRY_MS).unref();
      return error instanceof Error && "code" in error ? error.code : error;
    }
    if (this.dropped > 0) {
      const lines = this.dropped;
      this.dropped = 0;
      this.reportDropped(lines);
    }
    return undefined;
  }

  private remove(first: Buffer, written: number): void {
    this.waitingBytes -= written;
    if (written < first.length) {
      this.waiting[0] = first.subarray(written);
    } else {
      this.waiting.shift();
    }
  }

  private waitForReader(): void {
    const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const deadline = performance.now() + EXIT_WAIT_MS;
    while (this.send() === "EAGAIN" && performance.now() < deadline) {
      Atomics.wait(pause, 0, 0, EXIT_RETRY_MS);
    }
  }
}

/**
 * Node's handle of standard error, if it is a pipe or a socket: opened as a stream, a full one makes writes fail
 * instead of block. Files and terminals need no handle, because they do not block a server.
 */
function findHandle(): { setBlocking(isBlocking: boolean): void } | undefined {
  const target = fstatSync(STANDARD_ERROR);
  if (!target.isFIFO() && !target.isSocket()) {
    return undefined;
  }
  const handle: unknown = Reflect.get(process.stderr, "_handle");
  return isBlockable(handle) ? handle : undefined;
}

function isBlockable(handle: unknown): handle is { setBlocking(isBlocking: boolean): void } {
  return typeof handle === "object" && handle !== null && "setBlocking" in handle;
}
