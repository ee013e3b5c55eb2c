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
  /** Each round's, in their order. */
  rounds: readonly Round[];
  /** The median round's. */
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

/**
 * One round of a case: how many a second, how long the median and the slowest hundredth took, and milliseconds of the
 * server's processor time per request.
 */
export interface Round {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMs: number;
}

/** A ratio of two cases: that of the median round decides; the smallest and the largest show how far to trust it. */
export interface Ratio {
  median: number;
  least: number;
  most: number;
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

/** Each round's throughput, and the latencies of all rounds together. */
export function summarize(samples: readonly Sample[]): Summary {
  const latencies = samples.flatMap((sample) => sample.latencies).toSorted((a, b) => a - b);
  const cpuSeconds = sum(samples.map((sample) => sample.cpuSeconds));
  const rounds = samples.map((sample) => ({
    perSecond: sample.latencies.length / sample.seconds,
    p50: median(sample.latencies),
    p99: quantile(
      sample.latencies.toSorted((a, b) => a - b),
      0.99,
    ),
    cpuMs: toCpuMs(sample.cpuSeconds, sample.latencies.length),
  }));
  return {
    rounds,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    requests: latencies.length,
    failures: sum(samples.map((sample) => sample.failures)),
    cpuMs: toCpuMs(cpuSeconds, latencies.length),
    memoryMb: Math.max(0, ...samples.map((sample) => sample.memoryBytes)) / 2 ** 20,
  };
}

/** What several servers saw at the same time, as if they were one. */
export function merge(samples: readonly Sample[]): Sample {
  return {
    seconds: Math.max(...samples.map(({ seconds }) => seconds)),
    latencies: samples.flatMap(({ latencies }) => latencies),
    failures: sum(samples.map(({ failures }) => failures)),
    cpuSeconds: sum(samples.map(({ cpuSeconds }) => cpuSeconds)),
    memoryBytes: sum(samples.map(({ memoryBytes }) => memoryBytes)),
  };
}

function toCpuMs(cpuSeconds: number, requests: number): number {
  return requests === 0 ? 0 : (cpuSeconds * 1_000) / requests;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * How many times the other one it is, in the median round: what the machine does meanwhile meets cases of the same round
 * more alike than those of different ones. NaN where one of the two was not measured.
 */
export function compare(
  measure: keyof Round,
  one: Summary | undefined,
  other: Summary | undefined,
): Ratio {
  return toRatio(
    (one?.rounds ?? []).map(
      (round, index) => round[measure] / (other?.rounds[index]?.[measure] ?? Number.NaN),
    ),
  );
}

/** NaN without rounds. */
export function toRatio(rounds: readonly number[]): Ratio {
  if (rounds.length === 0 || rounds.some(Number.isNaN)) {
    return { median: Number.NaN, least: Number.NaN, most: Number.NaN };
  }
  return { median: median(rounds), least: Math.min(...rounds), most: Math.max(...rounds) };
}

function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
