import { readFileSync, readdirSync } from "node:fs";
import { calibrate } from "#test/run/calibration.ts";

/** The part of a run that a process belongs to. */
export type Part = "browser" | "database" | "server" | "tests";

/** One process, as `/proc` shows it. Times are in clock ticks. */
export interface Sighting {
  /** The process id and the start time, because the system reuses process ids. */
  id: string;
  /** The id of the process that started it; empty if that process is not running. */
  parent: string;
  name: string;
  commandLine: string;
  /** The time that the process itself has used. */
  own: number;
  /** The time used by the children that it has waited for, including their own reaped children. */
  reaped: number;
}

/** The latest sighting of a process. */
export interface Seen extends Sighting {
  /** Whether it has outlived its parent, which therefore never waited for it. */
  isOrphan: boolean;
}

const PERIOD_MS = 500;
/** The value on Linux, on every processor that we support. */
const TICKS_PER_SECOND = 100;
const PROGRAMS =
  /\b(?:start|worker|throw-away|floatdeck|pages|server)\.(?:js|ts|mjs)\b|^next-server/u;

/** Counts the processor seconds of this process and of everything that it starts. Linux only. */
export class ProcessorSeconds {
  private readonly seen = new Map<string, Seen>();
  private readonly calibration = calibrate();
  private readonly timer = setInterval(() => this.look(), PERIOD_MS);

  /** Ends the count, and describes it: what each part used, beside what a fixed piece of work uses on this machine. */
  stop(): string {
    clearInterval(this.timer);
    this.look();
    const parts = Object.entries(addUp(this.seen)).filter(([, seconds]) => seconds > 0);
    const total = parts.reduce((sum, [, seconds]) => sum + seconds, 0);
    const shown = parts.map(([part, seconds]) => `${part} ${seconds.toFixed(0)}`).join(", ");
    const { processorMs, passedMs } = this.calibration;
    return `Processor seconds: ${total.toFixed(0)} (${shown}); calibration ${processorMs.toFixed(0)} ms, which took ${passedMs.toFixed(0)} ms`;
  }

  private look(): void {
    const self = readProcess("self");
    if (self) {
      note(this.seen, readProcesses(), toId(self));
    }
  }
}

/** Notes the processes below `root`, including those whose parent has ended since they were first seen there. */
export function note(seen: Map<string, Seen>, processes: readonly Sighting[], root: string): void {
  const running = new Map(processes.map((each) => [each.id, each]));
  const belongs = ({ id, parent }: Sighting): boolean => {
    const above = running.get(parent);
    return id === root || seen.has(id) || (above !== undefined && belongs(above));
  };
  for (const each of processes) {
    if (belongs(each)) {
      // A process whose parent has ended still counts below it. A process that has ended shows no command line.
      const before = seen.get(each.id);
      const commandLine = each.commandLine || (before?.commandLine ?? "");
      const parent = before?.parent ?? each.parent;
      seen.set(each.id, { ...each, commandLine, parent, isOrphan: parent !== each.parent });
    }
  }
}

/**
 * Adds up the last sightings, in seconds. If a process has reaped more time than was seen below it, children that lived
 * too briefly to be seen used the difference; it counts as the parent's.
 */
export function addUp(seen: ReadonlyMap<string, Seen>): Record<Part, number> {
  const children = Map.groupBy(seen.values(), ({ isOrphan, parent }) => (isOrphan ? "" : parent));
  /** The time seen below a process. A child may also have reaped its own children after its last sighting. */
  const toSeenBelow = (id: string): number =>
    (children.get(id) ?? [])
      .map((child) => child.own + Math.max(child.reaped, toSeenBelow(child.id)))
      .reduce((sum, ticks) => sum + ticks, 0);
  const sums: Record<Part, number> = { browser: 0, database: 0, server: 0, tests: 0 };
  for (const each of seen.values()) {
    const unseen = Math.max(0, each.reaped - toSeenBelow(each.id));
    sums[toPart(each, seen)] += (each.own + unseen) / TICKS_PER_SECOND;
  }
  return sums;
}

/** The part that a process belongs to. Any other program, such as a compiler, belongs to its parent's part. */
function toPart(each: Sighting, seen: ReadonlyMap<string, Sighting>): Part {
  if (each.name === "postgres") {
    return "database";
  }
  if (/^(?:chrome|chromium|headless_shell)/u.test(each.name)) {
    return "browser";
  }
  if (PROGRAMS.test(each.commandLine)) {
    return "server";
  }
  const parent = seen.get(each.parent);
  return parent ? toPart(parent, seen) : "tests";
}

/** A process as its own files show it. */
interface Shown extends Omit<Sighting, "id" | "parent"> {
  pid: number;
  parentPid: number;
  /** Since the system started. */
  startedAt: number;
}

function readProcesses(): Sighting[] {
  const shown = readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => readProcess(name) ?? []);
  const ids = new Map(shown.map((each) => [each.pid, toId(each)]));
  return shown.map((each) => ({ ...each, id: toId(each), parent: ids.get(each.parentPid) ?? "" }));
}

function toId({ pid, startedAt }: Pick<Shown, "pid" | "startedAt">): string {
  return `${pid}@${startedAt}`;
}

/** @param name is a process id, or `self`. */
function readProcess(name: string): Shown | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    const commandLine = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
    return toShown(stat, commandLine);
  } catch {
    // It has ended.
    return undefined;
  }
}

/** @param stat is `/proc/<pid>/stat`; see proc(5). The name in parentheses may hold any character. */
export function toShown(stat: string, commandLine: string): Shown {
  const end = stat.lastIndexOf(")");
  const rest = stat.slice(end + 2).split(" ");
  const field = (number: number) => Number(rest[number - 3]);
  return {
    pid: Number.parseInt(stat, 10),
    parentPid: field(4),
    startedAt: field(22),
    name: stat.slice(stat.indexOf("(") + 1, end),
    commandLine,
    own: field(14) + field(15),
    reaped: field(16) + field(17),
  };
}
