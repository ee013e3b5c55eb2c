import { cpus, totalmem } from "node:os";
import { BASELINE_CONNECTIONS } from "./baselines.ts";
import { COMPARED_READS, COMPARED_WRITES, toBeforeName } from "./before.ts";
import type { BuffersRead } from "./buffers.ts";
import { MANY_FLOATS, MANY_FLOATS_APART, ONE_FLOAT } from "./capacity.ts";
import { ANALYZED, FRESH, NOTIFICATIONS } from "./fresh.ts";
import { atLeast, atMost, reported } from "./line.ts";
import type { Line } from "./line.ts";
import { compare, toRatio } from "./measure.ts";
import type { Summary } from "./measure.ts";
import { toMisbehaviorLines } from "./misbehavior-report.ts";
import { UNWATCHED, WITH_METRICS, WITH_TRACES } from "./watched.ts";
import { BESIDE_PGLEDGER, PGLEDGER_CONNECTIONS, toPgledgerName } from "./pgledger.ts";
import { GROWTH, UNFAMILIAR } from "./growth.ts";

/** All measurements of a run. */
export interface Results {
  machine: string;
  versions: string;
  at: string;
  mode: string;
  summaries: Readonly<Record<string, Summary>>;
  /** Measured once per run; empty when only some of the cases ran. */
  figures: Partial<Figures>;
  buffers: Readonly<Record<string, BuffersRead>>;
}

export interface Figures {
  startSeconds: number;
  /** Bytes of HTML per row of the list of cards. */
  rowBytes: number;
  /** Compressed kilobytes of scripts that load with each page. */
  cardsScriptKb: number;
  overviewScriptKb: number;
  /** Discrepancies that the ledger check found afterwards. */
  discrepancies: number;
  /** What a keyed credit without text writes: what stays for ever, that with its response and its log, and WAL. */
  creditBytes: {
    lasting: number;
    all: number;
    wal: number;
    /** Of each table, with its indexes, and of partitions together. */
    byTable: readonly { name: string; kept: number; wal: number }[];
  };
}

const GROWTH_MAX = 1.3;
const NOTHING_READ = "a page that reads nothing";

export function describeMachine(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim() ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`;
}

/** The goals that this run has figures for. A partial run has fewer. */
export function toLines(results: Results): Line[] {
  const { summaries } = results;
  const lines = [
    ...toWriteLines(summaries),
    ...toReaderLines(summaries),
    ...toFreshLines(summaries),
    ...toWatchedLines(summaries),
    ...toMisbehaviorLines(summaries),
    atLeast(
      "credit through three servers on one float, against one",
      compare(
        "perSecond",
        summaries["credit, three servers"],
        summaries["credit, one server of three"],
      ),
      0.9,
    ),
    reported(
      "credit on 64 floats, against one",
      compare("perSecond", summaries[MANY_FLOATS], summaries[ONE_FLOAT]),
    ),
    reported(
      "credit on 64 floats through three servers, against one",
      compare("perSecond", summaries[MANY_FLOATS_APART], summaries[MANY_FLOATS]),
    ),
    ...toBeforeLines(summaries),
    atLeast(
      "credit over HTTP with a key, against pgledger's SQL function",
      compare(
        "perSecond",
        summaries[BESIDE_PGLEDGER],
        fastest(PGLEDGER_CONNECTIONS.map((workers) => summaries[toPgledgerName(workers)])),
      ),
      1.6,
    ),
    ...toPageLines(results),
    ...GROWTH.map((name) => {
      const what = `${name}: large against small`;
      const ratio = compare("p50", summaries[`${name}, large`], summaries[`${name}, small`]);
      return UNFAMILIAR.has(name) ? reported(what, ratio) : atMost(what, ratio, GROWTH_MAX);
    }),
    ...toBufferLines(results.buffers),
    ...toFigureLines(results),
    atMost("answers other than 200", countFailures(summaries), 0),
  ];
  return lines.filter(({ value }) => value !== "NaN");
}

function toWriteLines(summaries: Results["summaries"]): Line[] {
  const credit = summaries["credit"];
  const keyed = summaries["credit, each with a key"];
  const against = (other: Summary | undefined) => compare("perSecond", keyed, other);
  return [
    atLeast("credit over HTTP with a key, against A", against(bestOf("A", summaries)), 5),
    atLeast("credit over HTTP with a key, against B", against(bestOf("B", summaries)), 2),
    atLeast("credit over HTTP with a key, against without", against(credit), 0.95),
    reported(
      "credit over HTTP, against the commit queue in process",
      compare("perSecond", credit, summaries["credit, commit queue in process"]),
    ),
    atLeast(
      "authorize over HTTP, against its own B",
      compare("perSecond", summaries["authorize"], bestOf("B of authorize", summaries)),
      1.2,
    ),
    atLeast(
      "freeze and unfreeze, against next start",
      compare(
        "perSecond",
        summaries["freeze and unfreeze"],
        summaries["freeze and unfreeze, next start"],
      ),
      2,
    ),
    ...["credit, each with a key", "authorize", "freeze and unfreeze"].map((name) =>
      atMost(
        `${name}: p99 against p50`,
        toRatio((summaries[name]?.rounds ?? []).map(({ p50, p99 }) => p99 / p50)),
        4,
      ),
    ),
    atMost(
      "an idle commit queue's latency, against none",
      compare(
        "p50",
        summaries["one client, with group commit"],
        summaries["one client, without group commit"],
      ),
      1.1,
    ),
  ];
}

/** This checkout against another one: reads must cost half as much, and writes no more. */
function toBeforeLines(summaries: Results["summaries"]): Line[] {
  const against = (measure: "perSecond" | "cpuMs", name: string) =>
    compare(measure, summaries[name], summaries[toBeforeName(name)]);
  return [
    ...COMPARED_WRITES.map((name) =>
      atLeast(`${name}: rate, against before`, against("perSecond", name), 0.95),
    ),
    ...[...COMPARED_READS, ...COMPARED_WRITES].map((name) =>
      atMost(`${name}: CPU per request, against before`, against("cpuMs", name), 1.05),
    ),
  ];
}

/** The cost of a page by its rows, and the size of what a browser loads. */
function toPageLines({ summaries, figures }: Results): Line[] {
  const [rows, none, nothing] = ["cards page, 50 rows", "cards page, no rows", NOTHING_READ].map(
    (name) => summaries[name],
  );
  return [
    atMost("CPU of a page of 50 rows, against none", compare("cpuMs", rows, none), 1.6),
    atMost(
      "CPU of a page without rows, against one that reads nothing",
      compare("cpuMs", none, nothing),
      2,
    ),
    atMost("bytes of HTML per row", figures.rowBytes, 2_000),
    atMost("first-load script of the cards, compressed kB", figures.cardsScriptKb, 190),
    atMost("first-load script of the overview, compressed kB", figures.overviewScriptKb, 190),
  ];
}

/** The request whose buffers grow most decides whether the goal is reached. */
function toBufferLines(buffers: Results["buffers"]): Line[] {
  const ratios = Object.values(buffers).map(({ small, large }) => large / small);
  return ratios.length === 0
    ? []
    : [
        atMost(
          "buffers read per request, large against small, the most of all",
          Math.max(...ratios),
          GROWTH_MAX,
        ),
      ];
}

function toFigureLines({ summaries, figures }: Results): Line[] {
  return [
    atMost("`npm start` to its first answer, s", figures.startSeconds, 10),
    atMost(
      "memory of the server and its pages under 64 clients, MB",
      summaries["credit, each with a key"]?.memoryMb,
      500,
    ),
    atMost("bytes of a credit that stay for ever", figures.creditBytes?.lasting, 2_500),
    atMost("bytes of a credit with its response and its log", figures.creditBytes?.all, 3_800),
    atMost("WAL of a credit, bytes", figures.creditBytes?.wal, 5_200),
    atMost("places where the books do not balance afterwards", figures.discrepancies, 0),
  ];
}

/** The three fresh data directories: their median and their range. */
function toFreshLines(summaries: Results["summaries"]): Line[] {
  const [fresh, analyzed, notified] = [FRESH, ANALYZED, NOTIFICATIONS].map(
    (name) => summaries[name],
  );
  return [
    atLeast(
      "credit on a fresh database, against the same analyzed",
      compare("perSecond", fresh, analyzed),
      0.9,
    ),
    atMost(
      "credit on a fresh database: p99 against the same analyzed",
      compare("p99", fresh, analyzed),
      1.3,
    ),
    atLeast(
      "notifications a second to a receiver that takes 300 ms",
      toRatio((notified?.rounds ?? []).map(({ perSecond }) => perSecond)),
      150,
    ),
  ];
}

/** What metrics and traces may take away. */
function toWatchedLines(summaries: Results["summaries"]): Line[] {
  const against = (measure: "perSecond" | "cpuMs", name: string) =>
    compare(measure, summaries[name], summaries[UNWATCHED]);
  return [
    atLeast("credit with metrics: rate", against("perSecond", WITH_METRICS), 0.97),
    atMost("credit with metrics: CPU per request", against("cpuMs", WITH_METRICS), 1.03),
    atLeast("credit with traces at 1 %: rate", against("perSecond", WITH_TRACES), 0.95),
    atMost("credit with traces at 1 %: CPU per request", against("cpuMs", WITH_TRACES), 1.05),
  ];
}

/** How much people who reload pages may slow down payments. */
function toReaderLines(summaries: Results["summaries"]): Line[] {
  const alone = summaries["credit, 8 clients"];
  const beside = summaries["credit, 8 clients beside 2 readers of pages"];
  return [
    atLeast("credit beside 2 readers of pages: rate", compare("perSecond", beside, alone), 0.8),
    atMost("credit beside 2 readers of pages: p99", compare("p99", beside, alone), 1.5),
  ];
}

/** The baseline with the number of connections at which it is fastest. */
function bestOf(baseline: string, summaries: Results["summaries"]): Summary | undefined {
  return fastest(BASELINE_CONNECTIONS.map((workers) => summaries[`${baseline}, ${workers}`]));
}

function fastest(summaries: readonly (Summary | undefined)[]): Summary | undefined {
  return summaries
    .filter((summary) => summary !== undefined)
    .toSorted((a, b) => b.perSecond - a.perSecond)[0];
}

function countFailures(summaries: Results["summaries"]): number {
  return Object.values(summaries).reduce((sum, { failures }) => sum + failures, 0);
}
