import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { PING } from "./pages-settings.ts";
import { log } from "#lib/base/log.ts";
import { timeLimit } from "#db/time-limits.ts";

/** A ping that is not answered yet, or the start of a process that has sent nothing yet. */
interface Unanswered {
  /** How much of its own processor time the process may take to answer, in seconds. */
  cpuSecondsMax: number;
  /** The processor time that it had used at `at`. */
  cpuSeconds: number;
  at: number;
}

/**
 * Kills the process that serves pages when it hangs. Watches until the process ends. The process has the lowest
 * priority, so other load makes it slow. Therefore the limit is on the processor time that it uses without answering,
 * not on elapsed time. A process that uses no processor time gets a much longer limit of elapsed time.
 */
export function watchPages(child: ChildProcess): void {
  let unanswered: Unanswered | undefined = begin(child, timeLimit("pagesStart"));
  child.on("message", () => {
    unanswered = undefined;
  });
  const timer = setInterval(
    () => {
      if (!unanswered) {
        unanswered = begin(child, timeLimit("pagesHang"));
        tell(child, PING);
        return;
      }
      const asked = unanswered;
      if (isOverdue(child, asked)) {
        // First read an answer that may have arrived while this process was held up.
        setImmediate(() => {
          if (unanswered === asked) {
            log.error("The process that serves pages is hung; killing it.");
            child.kill("SIGKILL");
          }
        });
      }
    },
    timeLimit("pagesHang") / 2,
  );
  timer.unref();
  child.once("exit", () => clearInterval(timer));
}

/** Sends a message to the process, unless it is about to end. */
export function tell(child: ChildProcess, message: string): void {
  if (child.connected) {
    child.send(message, () => undefined);
  }
}

function begin(child: ChildProcess, limitMs: number): Unanswered {
  return {
    cpuSecondsMax: limitMs / 1_000,
    cpuSeconds: readCpuSeconds(child),
    at: performance.now(),
  };
}

function isOverdue(child: ChildProcess, { cpuSecondsMax, cpuSeconds, at }: Unanswered): boolean {
  return (
    readCpuSeconds(child) - cpuSeconds >= cpuSecondsMax ||
    performance.now() - at >= timeLimit("pagesSilence")
  );
}

/** User and system time in hundredths of a second. They follow the program's name, which may contain anything. */
const PROCESSOR_TIME = /\) \S(?: \S+){10} (?<user>\d+) (?<system>\d+) /u;

/** Seconds of processor time used so far. Zero where the system does not report it; then only elapsed time counts. */
function readCpuSeconds({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/stat`;
  const { user, system } = existsSync(file)
    ? (PROCESSOR_TIME.exec(readFileSync(file, "utf8"))?.groups ?? {})
    : {};
  return (Number(user ?? 0) + Number(system ?? 0)) / 100;
}
