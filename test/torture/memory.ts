import { readdirSync, readFileSync } from "node:fs";

/** What a process uses, in MiB, and when. */
export interface MemorySample {
  name: string;
  /** One that is started again has used nothing before. */
  pid: number;
  atMs: number;
  mib: number;
}

/** A process that runs, and the name under which its memory is reported. */
export interface Running {
  name: string;
  pid: number;
}

/** How much more than before a process may use once it has warmed up: heaps breathe by about this much. */
const RATIO_MAX = 1.25;
const SPARE_MIB = 24;
/** With fewer samples, a heap that still warms up cannot be told from one that grows. */
const SAMPLES_MIN = 20;

/** Where the system lists processes; without it, memory is not reported. */
const PROCESSES = "/proc";
const KIB_PER_MIB = 1_024;

/** The children of a process, with their commands. */
export function listChildren(parent: number): { pid: number; command: string }[] {
  return listProcesses().filter(({ pid }) => readStatus(pid, "PPid") === parent);
}

function listProcesses(): { pid: number; command: string }[] {
  try {
    return readdirSync(PROCESSES)
      .filter((name) => /^\d+$/u.test(name))
      .map((name) => ({ pid: Number(name), command: readText(Number(name), "cmdline") }));
  } catch {
    return [];
  }
}

/** What the resident memory of a process is now; null when it has ended. */
export function readResident(pid: number): number | null {
  return toMib(readStatus(pid, "VmRSS"));
}

/** What the processes of a PostgreSQL use together, without the buffers that they share. */
export function readPrivate(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (toMib(readStatus(pid, "RssAnon")) ?? 0), 0);
}

function toMib(kib: number | null): number | null {
  return kib === null ? null : kib / KIB_PER_MIB;
}

function readStatus(pid: number, field: string): number | null {
  const found = new RegExp(`^${field}:\\s+(?<value>\\d+)`, "mu").exec(readText(pid, "status"));
  return found ? Number(found.groups?.["value"]) : null;
}

function readText(pid: number, file: string): string {
  try {
    return readFileSync(`${PROCESSES}/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** One line for each process: its memory at first, at last, at most, and how often it was started. */
export function describeMemory(samples: readonly MemorySample[]): string[] {
  return [...Map.groupBy(samples, ({ name }) => name)].map(([name, own]) => {
    const starts = new Set(own.map(({ pid }) => pid)).size;
    const most = Math.max(...own.map(({ mib }) => mib));
    return `${name}: ${show(own.at(0))} at first, ${show(own.at(-1))} at last, ${Math.round(most)} MiB at most${starts > 1 ? `, started ${starts} times` : ""}`;
  });
}

function show(sample: MemorySample | undefined): string {
  return `${Math.round(sample?.mib ?? 0)} MiB`;
}

/** Processes that ran throughout and used more in the last quarter of the run than in the second one. */
export function findGrowingMemory(samples: readonly MemorySample[]): string[] {
  return [...Map.groupBy(samples, ({ name }) => name)]
    .filter(([, own]) => own.length >= SAMPLES_MIN && new Set(own.map(({ pid }) => pid)).size === 1)
    .flatMap(([name, own]) => {
      const quarter = Math.floor(own.length / 4);
      const before = toMedian(own.slice(quarter, quarter * 2));
      const after = toMedian(own.slice(-quarter));
      return after > before * RATIO_MAX + SPARE_MIB
        ? [
            `${name} used ${Math.round(before)} MiB in the second quarter, and ${Math.round(after)} in the last`,
          ]
        : [];
    });
}

function toMedian(samples: readonly MemorySample[]): number {
  const sorted = samples.map(({ mib }) => mib).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
