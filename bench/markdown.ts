import type { Summary } from "./measure.ts";
import type { Line } from "./line.ts";
import { toMisbehaviorTable } from "./misbehavior-report.ts";
import type { Results } from "./report.ts";

/** The report for RESULTS.md: the conditions, and each bound with what the run reached. */
export function toMarkdown(
  { mode, at, machine, versions }: Pick<Results, "mode" | "at" | "machine" | "versions">,
  lines: readonly Line[],
): string {
  return [
    "# Benchmark results",
    "",
    `Written by \`npm run bench\` (${mode}), ${at}. ${machine}. ${versions}.`,
    "",
    "The load generator, the server, and the database share this machine's processors, so compare ratios between runs, not",
    "rates. Cases take turns, round after round. A ratio is that of the median round, followed by the range of all rounds.",
    "Cases with the same bound share a row, which shows the one nearest to the bound; a missed bound has its own row.",
    "",
    "- **Baseline A** is the product's own code for a credit, one transaction per credit. **Baseline B** is one SQL function",
    "  call per credit that writes the same rows. Both run with 1, 4, and 16 connections, and the fastest counts.",
    "- The **large** account has 100,000 cards and a million transactions (a tenth in a quick run); the **small** one has a",
    "  hundred cards and a thousand transactions. Each request picks a random card; a **familiar** card is one of a hundred.",
    "- **Before** is the checkout that `--before` names. **pgledger** is another ledger's bare SQL function, with 4, 16, and 64",
    "  connections; the fastest counts. `bench/README.md` says how to run it.",
    "",
    "| measured | bound | reached |",
    "| --- | --- | --- |",
    ...[...Map.groupBy(lines, toGroup).values()].map(toRow),
    "",
  ].join("\n");
}

/** What others notice of misbehavior; the figures of every case and what a credit writes, which show why a bound is missed. */
export function toDetails({ summaries, buffers, figures }: Results): string {
  return [
    ...toMisbehaviorTable(summaries),
    "| case | a second | rounds | p50 ms | p95 ms | p99 ms | CPU ms | PostgreSQL's CPU ms | WAL bytes | memory MB |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...Object.entries(summaries).map(
      ([name, each]) =>
        `| ${name} | ${each.perSecond.toFixed(0)} | ${toRange(each)} | ${each.p50.toFixed(2)} | ${each.p95.toFixed(2)} | ${each.p99.toFixed(2)} | ${each.cpuMs ? each.cpuMs.toFixed(2) : ""} | ${each.databaseCpuMs ? each.databaseCpuMs.toFixed(2) : ""} | ${each.walBytes ? each.walBytes.toFixed(0) : ""} | ${each.memoryMb ? each.memoryMb.toFixed(0) : ""} |`,
    ),
    "",
    "| table and index buffers that one request reads | small account | large account |",
    "| --- | ---: | ---: |",
    ...Object.entries(buffers).map(
      ([name, { small, large }]) => `| ${name} | ${small.toFixed(0)} | ${large.toFixed(0)} |`,
    ),
    "",
    "| what a credit writes | bytes on disk | bytes of WAL |",
    "| --- | ---: | ---: |",
    ...(figures.creditBytes?.byTable ?? []).map(
      ({ name, kept, wal }) => `| ${name} | ${kept.toFixed(0)} | ${wal.toFixed(0)} |`,
    ),
    "",
  ].join("\n");
}

/** Lines with the same text after the case's name, and the same bound, are one group. */
function toGroup({ what, bound, reached }: Line): string {
  const [name, measure = name] = what.split(": ");
  return reached === false ? what : `${measure} ${bound}`;
}

function toRow(group: readonly Line[]): string {
  const nearest = group.reduce((one, other) => (isNearer(other, one) ? other : one));
  const { what, bound, value, spread, reached } = nearest;
  const [name, measure] = what.split(": ");
  const measured =
    group.length > 1
      ? `${measure}, ${group.length} cases, ${bound ? "nearest" : "highest"}: ${name}`
      : what;
  const figure = spread === "" ? value : `${value} (${spread})`;
  return `| ${measured} | ${bound || "none"} | ${reached === false ? `**${figure}, missed**` : figure} |`;
}

/** Whether a line is nearer to the bound than another one of its group. */
function isNearer(one: Line, other: Line): boolean {
  const [a, b] = [Number(one.value), Number(other.value)];
  return one.bound.startsWith("≥") ? a < b : a > b;
}

function toRange({ rounds }: Summary): string {
  const rates = rounds.map(({ perSecond }) => perSecond);
  return `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`;
}
