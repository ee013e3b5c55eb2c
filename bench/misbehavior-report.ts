import { atMost } from "./line.ts";
import type { Line } from "./line.ts";
import { toRatio } from "./measure.ts";
import type { Ratio, Summary } from "./measure.ts";

/** The beginning of the names of these cases. */
export const MISBEHAVIOR = "misbehavior";

/** How much longer others may wait: twice as long, or this many milliseconds, whichever is more. */
const SLOWER_MAX = 2;
const SLOWER_MAX_MS = 50;

/** A kind of request, measured alone and beside a kind of misbehavior. */
interface Compared {
  probe: string;
  kind: string;
  alone: Summary;
  beside: Summary;
}

type Summaries = Readonly<Record<string, Summary>>;

/** The name of a case. */
export function toMisbehaviorName(kind: string, probe: string, when: "alone" | "beside"): string {
  return `${MISBEHAVIOR}: ${kind}: ${probe}, ${when}`;
}

/** The 99th percentile beside each misbehavior, as a share of what it may be; and that nobody is refused. */
export function toMisbehaviorLines(summaries: Summaries): Line[] {
  const compared = toCompared(summaries);
  if (compared.length === 0) {
    return [];
  }
  const unavailable = compared.reduce((sum, { beside }) => sum + beside.unavailable, 0);
  return [
    ...compared.map((each) =>
      atMost(`${each.probe} beside ${each.kind}: p99 against its bound`, toShareOfBound(each), 1),
    ),
    atMost("answers 503 beside misbehavior", unavailable, 0),
  ];
}

/** What others notice of each misbehavior, as a table in Markdown; no lines if it was not measured. */
export function toMisbehaviorTable(summaries: Summaries): string[] {
  const compared = toCompared(summaries);
  if (compared.length === 0) {
    return [];
  }
  return [
    "Milliseconds, of the median round. The bound of a round is twice its p99 alone, or 50 ms more than that.",
    "",
    "| misbehavior | request | p50 alone | p50 beside | p99 alone | p99 beside | p99, times | p99, of its bound | 503 | other failures | verdict |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ...compared.map(toRow),
    "",
  ];
}

function toRow(each: Compared): string {
  const { kind, probe, alone, beside } = each;
  const share = toShareOfBound(each);
  const times = toRatio(pairRounds(each).map(({ before, after }) => after / before));
  const isKept = share.median <= 1 && beside.unavailable === 0;
  const cells = [
    kind,
    probe,
    toMedian(alone, "p50"),
    toMedian(beside, "p50"),
    toMedian(alone, "p99"),
    toMedian(beside, "p99"),
    times.median.toFixed(1),
    `${share.median.toFixed(2)} (${share.least.toFixed(2)}–${share.most.toFixed(2)})`,
    beside.unavailable,
    beside.failures - beside.unavailable,
    isKept ? "kept" : "**missed**",
  ];
  return `| ${cells.join(" | ")} |`;
}

function toMedian({ rounds }: Summary, measure: "p50" | "p99"): string {
  return toRatio(rounds.map((round) => round[measure])).median.toFixed(1);
}

function toShareOfBound(compared: Compared): Ratio {
  return toRatio(
    pairRounds(compared).map(
      ({ before, after }) => after / Math.max(SLOWER_MAX * before, before + SLOWER_MAX_MS),
    ),
  );
}

/** The 99th percentiles of each round. */
function pairRounds({ alone, beside }: Compared): { before: number; after: number }[] {
  return beside.rounds.map(({ p99 }, index) => ({
    before: alone.rounds[index]?.p99 ?? Number.NaN,
    after: p99,
  }));
}

function toCompared(summaries: Summaries): Compared[] {
  return Object.entries(summaries).flatMap(([name, beside]) => {
    const { kind = "", probe = "" } = BESIDE.exec(name)?.groups ?? {};
    const alone = summaries[toMisbehaviorName(kind, probe, "alone")];
    return alone ? [{ kind, probe, alone, beside }] : [];
  });
}

const BESIDE = new RegExp(`^${MISBEHAVIOR}: (?<kind>.+): (?<probe>.+), beside$`, "u");
