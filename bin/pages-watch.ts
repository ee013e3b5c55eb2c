import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { PING } from "./pages-settings.ts";
import { log } from "#lib/base/log.ts";
import { timeLimit } from "#db/time-limits.ts";

/** A ping that is not answered yet, or the start of a process that has said nothing yet. */
interface Unanswered {
  /** How much of its own processor time the process may take to answer, in seconds. */
  cpuSecondsMax: number;
  /** What it had used by then. */
  cpuSeconds: number;
  at: number;
}

/**
 * Kills the process that serves pages when it hangs. It has the lowest priority, so other load makes it slow. Therefore
 * the processor time that it uses without an answer counts, not the time that passes; one that uses none has much
 * longer. Watches until the process ends.
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
        // An answer that came while this process itself was held up is read first.
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

/** Tells the process something. One that is about to end hears nothing. */
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

/** In hundredths of a second, after the name of the program, which may contain anything. */
const PROCESSOR_TIME = /\) \S(?: \S+){10} (?<user>\d+) (?<system>\d+) /u;

/** The processor time of a process so far. Zero where the system does not show it: there, only the time that passes counts. */
function readCpuSeconds({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/stat`;
  const { user, system } = existsSync(file)
    ? (PROCESSOR_TIME.exec(readFileSync(file, "utf8"))?.groups ?? {})
    : {};
  return (Number(user ?? 0) + Number(system ?? 0)) / 100;
}
