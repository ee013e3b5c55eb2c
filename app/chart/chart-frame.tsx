import { scaleLinear } from "d3-scale";
import type { ReactNode } from "react";
import type { Elements } from "../ui/elements.ts";
import { ChartDays } from "./chart-days.tsx";
import type { ChartDay } from "./chart-days.tsx";
import { minorDigits } from "#lib/base/currencies.ts";

/** The server draws charts with the page; only reading them day by day needs a script. */

/** The plot's own units: its height, and the width of a day. Stretched to the available space. */
export const PLOT_HEIGHT = 100;
export const DAY_WIDTH = 10;

const TICKS = 4;
/** The maximum number of labeled days. Narrow screens have no room for more. */
const DAY_LABELS = 5;
const DATE = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", timeZone: "UTC" });

/** The name of a day on the axis and in the hints. */
export function toDayName(day: string): string {
  return DATE.format(new Date(day));
}

/** Maps amounts in minor units to heights in the plot, and finds round amounts for the lines. */
export function toAmountScale(highest: number, currency: string) {
  return toScale(Math.max(highest, 10 ** minorDigits(currency)));
}

/** Like `toAmountScale`, for numbers of occurrences. */
export function toCountScale(highest: number) {
  const { toY, ticks } = toScale(Math.max(highest, 1));
  return { toY, ticks: ticks.filter(Number.isInteger) };
}

function toScale(highest: number) {
  const scale = scaleLinear().domain([0, highest]).nice(TICKS).range([PLOT_HEIGHT, 0]);
  return { toY: (amount: number) => scale(amount), ticks: scale.ticks(TICKS) };
}

/** Axes and lines around a plot. */
export function ChartFrame({
  name,
  label,
  legend,
  days,
  span = "day",
  toFigures,
  ticks,
  toTick,
  toY,
  children,
}: {
  /** As in `Float`. */
  name: string;
  /** Describes the chart in a sentence, for people who cannot see it. */
  label: string;
  legend?: Elements;
  /**
   * The items of the plot, from left to right: days, or periods that begin with a day and have names of their own;
   * and where each leads.
   */
  days: readonly { day: string; name?: string; href?: string }[];
  span?: "day" | "week";
  /** A day's figures. */
  toFigures: (index: number) => ChartDay["figures"];
  ticks: readonly number[];
  /** The label of a line. */
  toTick: (amount: number) => string;
  toY: (amount: number) => number;
  /** SVG in the plot's units. */
  children: ReactNode;
}) {
  return (
    <figure>
      {legend}
      <div className="text-muted @container relative mt-3 mb-6 ml-14 h-44 text-[11px]">
        <div aria-label={label} className="absolute inset-0" role="img">
          {ticks.map((amount) => (
            <div
              className="border-separator absolute inset-x-0 border-t"
              key={amount}
              style={{ top: `${toY(amount)}%` }}
            >
              <span className="absolute right-full -translate-y-1/2 pr-2 whitespace-nowrap">
                {toTick(amount)}
              </span>
            </div>
          ))}
          <svg
            className="absolute inset-0 size-full overflow-visible"
            preserveAspectRatio="none"
            viewBox={`0 0 ${days.length * DAY_WIDTH} ${PLOT_HEIGHT}`}
          >
            {children}
          </svg>
          <DayLabels days={days} />
        </div>
        <ChartDays
          days={days.map((each, index) => ({
            name: each.name ?? toDayName(each.day),
            href: each.href,
            figures: toFigures(index),
          }))}
          label={`${name}, ${span} by ${span}`}
        />
      </div>
    </figure>
  );
}

/** Labels some of the days below the plot. The last day is always labeled, aligned with the plot's end. */
function DayLabels({ days }: { days: readonly { day: string }[] }) {
  const step = Math.ceil(days.length / DAY_LABELS);
  const labeled = days.flatMap(({ day }, index) =>
    (days.length - 1 - index) % step === 0 ? [{ day, index }] : [],
  );
  return labeled.map(({ day, index }) => {
    const isLast = index === days.length - 1;
    const isNext = index + step === days.length - 1;
    return (
      <span
        className={`absolute top-full mt-1 whitespace-nowrap ${isLast ? "right-0" : "-translate-x-1/2"} ${isNext ? "@max-sm:hidden" : ""}`}
        key={day}
        style={isLast ? {} : { left: `${((index + 0.5) / days.length) * 100}%` }}
      >
        {toDayName(day)}
      </span>
    );
  });
}
