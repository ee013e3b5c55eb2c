import { createHash } from "node:crypto";

/** What a fixed piece of work took here and now. */
export interface Calibration {
  /** Milliseconds of a processor: how fast the machine is. */
  processorMs: number;
  /** Milliseconds that passed, which other work on the machine makes longer. */
  passedMs: number;
}

/** What the work takes on the quiet machine for which limits of time are written. */
const QUIET_MS = 500;
const HASHES = 700_000;
/** Beyond this, a machine is not slow but hangs. */
const SLOWNESS_MAX = 20;
const SLOWNESS = "TEST_SLOWNESS";

/** Measures the machine: blocks for half a second where it is quiet. */
export function calibrate(): Calibration {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  let text = "";
  for (let count = 0; count < HASHES; count += 1) {
    text = createHash("sha256").update(text).digest("hex");
  }
  const { user, system } = process.cpuUsage(before);
  return { processorMs: (user + system) / 1_000, passedMs: performance.now() - startedAt };
}

/** How many times longer than on a quiet machine things take during this run: measured once, by the process that begins it. */
export function readSlowness(): number {
  process.env[SLOWNESS] ??= String(toSlowness(calibrate()));
  return Number(process.env[SLOWNESS]);
}

/** A limit of time that ends what hangs, in milliseconds of a quiet machine, as long as this run needs it to be. */
export function stretch(quietMs: number): number {
  return quietMs * readSlowness();
}

/** At least 1: a fast machine does not shorten limits. */
export function toSlowness({ passedMs }: Calibration): number {
  return Math.min(Math.max(passedMs / QUIET_MS, 1), SLOWNESS_MAX);
}
