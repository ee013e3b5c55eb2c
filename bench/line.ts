import { toRatio } from "./measure.ts";
import type { Ratio } from "./measure.ts";

/** One goal, and whether the run reached it. A ratio without a goal is only reported. */
export interface Line {
  what: string;
  bound: string;
  /** Of the median round. */
  value: string;
  /** Of the smallest and the largest round; empty for a single figure. */
  spread: string;
  reached: boolean | null;
}

/** @param ratio the median round decides. */
export function atLeast(what: string, ratio: Ratio, bound: number): Line {
  return { what, bound: `≥ ${bound}`, ...toFigures(ratio), reached: ratio.median >= bound };
}

/** @param figure undefined if it was not measured. */
export function atMost(what: string, figure: Ratio | number | undefined, bound: number): Line {
  const ratio = typeof figure === "object" ? figure : toRatio([figure ?? Number.NaN]);
  return { what, bound: `≤ ${bound}`, ...toFigures(ratio), reached: ratio.median <= bound };
}

/** A ratio without a goal. */
export function reported(what: string, ratio: Ratio): Line {
  return { what, bound: "", ...toFigures(ratio), reached: null };
}

function toFigures({ median, least, most }: Ratio): Pick<Line, "value" | "spread"> {
  const spread = least === most ? "" : `${least.toFixed(2)}–${most.toFixed(2)}`;
  return { value: median.toFixed(2), spread };
}
