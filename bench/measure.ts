/** What one run of a case saw. Latencies in milliseconds. */
export interface Sample {
  seconds: number;
  latencies: number[];
  /** Answers that were not what the case expects. */
  failures: number;
  /** Of the server process, where the case has one. */
  cpuSeconds: number;
  memoryBytes: number;
}

/** All runs of a case in a few numbers. */
export interface Summary {
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  requests: number;
  failures: number;
  /** Milliseconds of the server's processor time a request; 0 where nothing of a server is measured. */
  cpuMs: number;
  memoryMb: number;
}

/** Has each worker repeat its work until the time is over. */
export async function drive(
  { workers, durationMs }: { workers: number; durationMs: number },
  work: (worker: number) => Promise<void>,
): Promise<Sample> {
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + durationMs;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let at = performance.now(); at < until;) {
        await work(worker);
        const now = performance.now();
        latencies.push(now - at);
        at = now;
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  return { seconds, latencies, failures: 0, cpuSeconds: 0, memoryBytes: 0 };
}

/** The median run's throughput, and the latencies of all runs together. */
export function summarise(samples: readonly Sample[]): Summary {
  const latencies = samples.flatMap((sample) => sample.latencies).toSorted((a, b) => a - b);
  const rates = samples.map((sample) => sample.latencies.length / sample.seconds);
  const cpuSeconds = samples.reduce((sum, sample) => sum + sample.cpuSeconds, 0);
  return {
    perSecond: quantile(
      rates.toSorted((a, b) => a - b),
      0.5,
    ),
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    requests: latencies.length,
    failures: samples.reduce((sum, sample) => sum + sample.failures, 0),
    cpuMs: latencies.length === 0 ? 0 : (cpuSeconds * 1_000) / latencies.length,
    memoryMb: Math.max(0, ...samples.map((sample) => sample.memoryBytes)) / 2 ** 20,
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
