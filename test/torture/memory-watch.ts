import type { Cluster } from "./cluster.ts";
import { readPrivate, readResident } from "./memory.ts";
import type { MemorySample } from "./memory.ts";

const PERIOD_MS = 60_000;

/** Samples the memory of every process of a cluster once a minute, and says it. */
export function watchMemory(
  cluster: Cluster,
  { afterMs, into, say }: { afterMs: number; into: MemorySample[]; say: (text: string) => void },
): { stop(): void } {
  const startedAt = performance.now();
  const sample = () => {
    const atMs = performance.now() - startedAt;
    const samples = [...sampleMembers(cluster, atMs), ...sampleDatabase(cluster, atMs)];
    into.push(...samples);
    const shown = samples.map(({ name, mib }) => `${name} ${Math.round(mib)}`);
    say(`${(atMs / 60_000).toFixed(0)} min: MiB of ${shown.join("; ")}`);
  };
  let timer = setTimeout(() => {
    sample();
    timer = setInterval(sample, PERIOD_MS);
  }, afterMs);
  return { stop: () => clearInterval(timer) };
}

function sampleMembers({ servers, workers }: Cluster, atMs: number): MemorySample[] {
  return [...servers, ...workers]
    .flatMap((member) => member.processes())
    .flatMap(({ name, pid }) => {
      const mib = readResident(pid);
      return mib === null ? [] : [{ name, pid, atMs, mib }];
    });
}

/** While it is down, there is nothing to measure. Its own processes come and go, so that they count as one. */
function sampleDatabase(cluster: Cluster, atMs: number): MemorySample[] {
  try {
    return [{ name: "PostgreSQL", pid: 0, atMs, mib: readPrivate(cluster.databaseProcesses()) }];
  } catch {
    return [];
  }
}
