import { cpus, totalmem } from "node:os";
import type { Summary } from "./measure.ts";
import { GROWTH } from "./growth.ts";

/** All that was measured. */
export interface Results {
  machine: string;
  versions: string;
  at: string;
  mode: string;
  summaries: Readonly<Record<string, Summary>>;
  startMs: number;
  /** Places where the books did not balance afterwards. */
  misses: number;
}

/** One line of what is to be reached. */
export interface Line {
  what: string;
  bound: string;
  value: string;
  reached: boolean;
}

const GROWTH_MAX = 1.3;

export function describeMachine(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim() ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`;
}

/** The lines to reach, from the figures of this run alone; of a part of the cases, those that it has figures for. */
export function toLines({ summaries, startMs, misses }: Results): Line[] {
  const rate = (name: string) => summaries[name]?.perSecond ?? Number.NaN;
  const best = (baseline: string) =>
    Math.max(...[1, 4, 16].map((workers) => rate(`${baseline}, ${workers}`)));
  const credit = rate("credit");
  const latency = (name: string) => summaries[name]?.p50 ?? Number.NaN;
  const lines = [
    atLeast("credit over HTTP, against A", credit / best("A"), 5),
    atLeast("credit over HTTP, against B", credit / best("B"), 1.5),
    atLeast(
      "credit over HTTP, against the lane in process",
      credit / rate("credit, lane in process"),
      0.7,
    ),
    atLeast(
      "authorise over HTTP, against its own B",
      rate("authorise") / best("B of authorise"),
      1,
    ),
    atMost(
      "authorise over HTTP: p99 against p50",
      (summaries["authorise"]?.p99 ?? Number.NaN) / latency("authorise"),
      4,
    ),
    atLeast(
      "freeze and unfreeze, against next start",
      rate("freeze and unfreeze") / rate("freeze and unfreeze, next start"),
      2,
    ),
    atMost(
      "an idle lane's latency, against no lane",
      latency("one client, in the lane") / latency("one client, no lane"),
      1.1,
    ),
    ...GROWTH.map((name) =>
      atMost(
        `${name}: large against small`,
        latency(`${name}, large`) / latency(`${name}, small`),
        GROWTH_MAX,
      ),
    ),
    atMost("`npm start` to its first answer, s", startMs / 1_000, 10),
    atMost(
      "memory of the server under 64 clients, MB",
      summaries["credit, each with a key"]?.memoryMb ?? Number.NaN,
      500,
    ),
    atMost("places where the books do not balance afterwards", misses, 0),
    atMost("answers other than 200", countFailures(summaries), 0),
  ];
  return lines.filter(({ value }) => value !== "NaN");
}

function countFailures(summaries: Results["summaries"]): number {
  return Object.values(summaries).reduce((sum, { failures }) => sum + failures, 0);
}

function atLeast(what: string, value: number, bound: number): Line {
  return { what, bound: `≥ ${bound}`, value: value.toFixed(2), reached: value >= bound };
}

function atMost(what: string, value: number, bound: number): Line {
  return { what, bound: `≤ ${bound}`, value: value.toFixed(2), reached: value <= bound };
}

/** The report as it stands in RESULTS.md. */
export function toMarkdown(results: Results): string {
  return [
    "# Benchmark results",
    "",
    `Written by \`npm run bench\` (${results.mode}), ${results.at}. ${results.machine}. ${results.versions}.`,
    "",
    "The load generator, the server and the database share this machine's processors. Figures of different runs are not",
    "to be compared; the ratios, each from cases that took turns in one run, are.",
    "",
    "| to reach | bound | reached | |",
    "| --- | --- | ---: | --- |",
    ...toLines(results).map(
      ({ what, bound, value, reached }) =>
        `| ${what} | ${bound} | ${value} | ${reached ? "yes" : "**no**"} |`,
    ),
    "",
    "A is what the product does with one credit in a transaction of its own; B is one call of a function a credit that",
    "writes the same rows; both by 1, 4 and 16 connections. Latencies in milliseconds, processor time of the server a",
    "request.",
    "",
    "| case | a second | p50 | p95 | p99 | CPU ms | memory MB |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...Object.entries(results.summaries).map(
      ([name, each]) =>
        `| ${name} | ${each.perSecond.toFixed(0)} | ${each.p50.toFixed(2)} | ${each.p95.toFixed(2)} | ${each.p99.toFixed(2)} | ${each.cpuMs ? each.cpuMs.toFixed(2) : ""} | ${each.memoryMb ? each.memoryMb.toFixed(0) : ""} |`,
    ),
    "",
  ].join("\n");
}
