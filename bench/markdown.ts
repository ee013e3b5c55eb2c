import type { Summary } from "./measure.ts";
import { toLines } from "./report.ts";
import type { Line, Results } from "./report.ts";

/** The report in Markdown, for RESULTS.md. */
export function toMarkdown(results: Results): string {
  return [
    "# Benchmark results",
    "",
    `Written by \`npm run bench\` (${results.mode}), ${results.at}. ${results.machine}. ${results.versions}.`,
    "",
    "The load generator, the server, and the database share this machine's processors, so compare the ratios of different",
    "runs and not their figures. Cases take turns, round after round. A ratio is that of the median round, followed by the",
    "range of all rounds. Cases on a fresh database have one round for each of three data directories.",
    "",
    "| to reach | bound | reached | rounds | |",
    "| --- | --- | ---: | ---: | --- |",
    ...toLines(results).map(
      ({ what, bound, value, spread, reached }) =>
        `| ${what} | ${bound} | ${value} | ${spread} | ${toVerdict(reached)} |`,
    ),
    "",
    "The large account has 100,000 cards and a million transactions (a tenth of that in a quick run); the small one has a",
    "hundred cards and a thousand transactions. Each request picks a random card, so hardly any card of the large account",
    "comes twice. A familiar card is one of a hundred that are requested repeatedly, in both accounts. A ratio without a",
    "bound is reported only.",
    "",
    "Baseline A is the product's own code for a credit, one transaction per credit. Baseline B is one SQL function call per",
    "credit that writes the same rows. Both run with 1, 4, and 16 connections, and the fastest counts. Requests per second",
    "are those of the median round, then the range of all rounds; latencies are in milliseconds; CPU is the server's",
    "processor time per request.",
    "",
    "| case | a second | rounds | p50 | p95 | p99 | CPU ms | memory MB |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...Object.entries(results.summaries).map(
      ([name, each]) =>
        `| ${name} | ${each.perSecond.toFixed(0)} | ${toRange(each)} | ${each.p50.toFixed(2)} | ${each.p95.toFixed(2)} | ${each.p99.toFixed(2)} | ${each.cpuMs ? each.cpuMs.toFixed(2) : ""} | ${each.memoryMb ? each.memoryMb.toFixed(0) : ""} |`,
    ),
    "",
    "Table and index buffers that one request reads, for the small account and for the large one.",
    "",
    "| request | small | large |",
    "| --- | ---: | ---: |",
    ...Object.entries(results.buffers).map(
      ([name, { small, large }]) => `| ${name} | ${small.toFixed(0)} | ${large.toFixed(0)} |`,
    ),
    "",
  ].join("\n");
}

function toVerdict(reached: Line["reached"]): string {
  if (reached === null) {
    return "reported";
  }
  return reached ? "yes" : "**no**";
}

function toRange({ rounds }: Summary): string {
  const rates = rounds.map(({ perSecond }) => perSecond);
  return `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`;
}
