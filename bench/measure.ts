/** The measurements of one run of a case. Latencies in milliseconds. */
export interface Sample {
  seconds: number;
  latencies: number[];
  /** Responses other than the one the case expects. */
  failures: number;
  /** How many of the failures were answered 503; only of a case that counts them. */
  unavailable?: number;
  /** Processor time of the server process; 0 for a case without one. */
  cpuSeconds: number;
  memoryBytes: number;
  /** What PostgreSQL used and wrote meanwhile; only of a case that measures it. */
  database?: { cpuSeconds: number; walBytes: number };
}

/** All runs of a case, summarized. */
export interface Summary {
  /** In order. */
  rounds: readonly Round[];
  /** Of the median round. */
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  requests: number;
  failures: number;
  /** How many of the failures were answered 503; 0 for a case that does not count them. */
  unavailable: number;
  /** Milliseconds of the server's processor time per request; 0 for a case without a server. */
  cpuMs: number;
  memoryMb: number;
  /** PostgreSQL's milliseconds of processor time and bytes of WAL per request; 0 for a case that does not measure them. */
  databaseCpuMs: number;
  walBytes: number;
}

/**
 * One round of a case: requests per second, the median and 99th percentile latency, and milliseconds of the server's
 * processor time per request.
 */
export interface Round {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMs: number;
}

/** The ratio of two cases. The median round decides; the smallest and largest show how far to trust it. */
export interface Ratio {
  median: number;
  least: number;
  most: number;
}

/** Each worker repeats its work until the time is over. */
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

/** Summarizes the throughput of each round, and the latencies of all rounds together. */
export function summarize(samples: readonly Sample[]): Summary {
  const latencies = samples.flatMap((sample) => sample.latencies).toSorted((a, b) => a - b);
  const cpuSeconds = sum(samples.map((sample) => sample.cpuSeconds));
  const database = samples.flatMap((sample) => sample.database ?? []);
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
    unavailable: sum(samples.map((sample) => sample.unavailable ?? 0)),
    cpuMs: toCpuMs(cpuSeconds, latencies.length),
    memoryMb: Math.max(0, ...samples.map((sample) => sample.memoryBytes)) / 2 ** 20,
    databaseCpuMs: toCpuMs(sum(database.map((each) => each.cpuSeconds)), latencies.length),
    walBytes: sum(database.map((each) => each.walBytes)) / Math.max(1, latencies.length),
  };
}

/** Combines the samples of servers that ran at the same time, as if they were one server. */
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
 * The ratio of one case to another, round by round: other work on the machine affects cases of the same round more equally
 * than cases of different rounds. NaN if one of the two was not measured.
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
