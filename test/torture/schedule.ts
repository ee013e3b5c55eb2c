import { Random } from "#test/faults/fuzz-random.ts";

export const SERVERS = 3;
export const WORKERS = 2;

const FAULTS = [
  "kill server",
  "freeze server",
  "kill worker",
  "freeze worker",
  "cut connections",
  "kill database",
  "restart database",
  "jump clocks",
  "fill disk",
] as const;

/** A fault, when it begins, which process it affects, and how long it lasts. */
export interface Fault {
  atMs: number;
  kind: (typeof FAULTS)[number];
  /** The server or the worker. */
  number: number;
  lastsMs: number;
}

const PAUSE_MIN_MS = 1_500;
const PAUSE_SPREAD_MS = 2_500;
const LASTS_MIN_MS = 300;
const LASTS_SPREAD_MS = 1_700;

/** The faults of a run. The same seed makes the same faults, and each kind occurs once before any occurs again. */
export function toSchedule(seed: number, durationMs: number): Fault[] {
  const random = new Random(seed);
  const faults: Fault[] = [];
  let waiting: Fault["kind"][] = [];
  let atMs = PAUSE_MIN_MS;
  while (atMs < durationMs) {
    waiting = waiting.length > 0 ? waiting : [...FAULTS];
    const kind = random.pick(waiting);
    waiting = waiting.filter((each) => each !== kind);
    const number = random.below(countTargets(kind));
    const lastsMs = LASTS_MIN_MS + random.below(LASTS_SPREAD_MS);
    faults.push({ atMs, kind, number, lastsMs });
    atMs += lastsMs + PAUSE_MIN_MS + random.below(PAUSE_SPREAD_MS);
  }
  return faults;
}

/** One server and one worker are never killed, so that their memory can be compared between the start and the end. */
function countTargets(kind: Fault["kind"]): number {
  const all = kind.endsWith("worker") ? WORKERS : SERVERS;
  return kind.startsWith("kill") ? all - 1 : all;
}
