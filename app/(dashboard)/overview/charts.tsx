import { area, curveStep, line } from "d3-shape";
import { ChartFrame, DAY_WIDTH, PLOT_HEIGHT, toAmountScale, toDayName } from "./chart-frame.tsx";
import { formatMoney } from "#lib/base/money.ts";
import type { OverviewDay } from "#lib/overview/overview.ts";

interface Props {
  days: readonly OverviewDay[];
  currency: string;
}

const toMiddle = (index: number) => (index + 0.5) * DAY_WIDTH;

/** The float at the end of each day, as a line. */
export function FloatLine({ days, currency }: Props) {
  const first = days[0]?.closing ?? 0;
  const last = days.at(-1)?.closing ?? 0;
  const { toY, ticks } = toAmountScale(Math.max(...days.map(({ closing }) => closing)), currency);
  const points = days.map(({ closing }, index): [number, number] => [
    toMiddle(index),
    toY(closing),
  ]);
  return (
    <ChartFrame
      currency={currency}
      days={days}
      label={`Float over the last 30 days, from ${formatMoney(first, currency)} to ${formatMoney(last, currency)}`}
      ticks={ticks}
      toY={toY}
    >
      <path
        className="fill-accent/10"
        d={area().curve(curveStep).y0(PLOT_HEIGHT)(points) ?? undefined}
      />
      <path
        className="stroke-link fill-none"
        d={line().curve(curveStep)(points) ?? undefined}
        strokeWidth={2}
        vectorEffect="non-scaling-stroke"
      />
      {days.map(({ day, closing }, index) => (
        <Hint
          index={index}
          key={day}
          text={`${toDayName(day)}: ${formatMoney(closing, currency)}`}
        />
      ))}
    </ChartFrame>
  );
}

/** What came in and what went out, side by side. */
export function FlowBars(props: Props) {
  return (
    <PairedBars
      {...props}
      first={{ of: "inflow", name: "In", words: "into the float" }}
      second={{ of: "outflow", name: "Out", words: "out of the float" }}
    />
  );
}

/** What was bought with the cards and what was given back to them, side by side. */
export function SpendingBars(props: Props) {
  return (
    <PairedBars
      {...props}
      first={{ of: "refunded", name: "Refunded", words: "refunded" }}
      second={{ of: "spent", name: "Spent", words: "spent" }}
    />
  );
}

interface Side {
  of: "inflow" | "outflow" | "spent" | "refunded";
  name: string;
  /** As in `$5.00 … it`. */
  words: string;
}

const BAR_WIDTH = DAY_WIDTH * 0.32;

function PairedBars({ days, currency, first, second }: Props & { first: Side; second: Side }) {
  const sides = [
    { ...first, fill: "fill-active", swatch: "bg-active", offset: 0.16 },
    { ...second, fill: "fill-accent", swatch: "bg-accent", offset: 0.52 },
  ].map((side) => ({
    ...side,
    total: formatMoney(
      days.reduce((sum, day) => sum + day[side.of], 0),
      currency,
    ),
  }));
  const { toY, ticks } = toAmountScale(
    Math.max(...days.map((day) => Math.max(day[first.of], day[second.of]))),
    currency,
  );
  return (
    <ChartFrame
      currency={currency}
      days={days}
      label={`Last 30 days: ${sides.map(({ total, words }) => `${total} ${words}`).join(", ")}`}
      legend={
        <div aria-hidden className="text-muted flex gap-4 text-xs">
          {sides.map(({ name, total, swatch }) => (
            <span className="flex items-center gap-1.5" key={name}>
              <span className={`size-2.5 rounded-xs ${swatch}`} /> {name} {total}
            </span>
          ))}
        </div>
      }
      ticks={ticks}
      toY={toY}
    >
      {sides.flatMap(({ of, fill, offset }) =>
        days.map((day, index) => (
          <rect
            className={fill}
            height={PLOT_HEIGHT - toY(day[of])}
            key={`${of} ${day.day}`}
            width={BAR_WIDTH}
            x={(index + offset) * DAY_WIDTH}
            y={toY(day[of])}
          />
        )),
      )}
      {days.map((day, index) => (
        <Hint
          index={index}
          key={day.day}
          text={`${toDayName(day.day)}: ${sides.map(({ of, name }) => `${name} ${formatMoney(day[of], currency)}`).join(", ")}`}
        />
      ))}
    </ChartFrame>
  );
}

/** A day's figures, while the mouse rests on it. */
function Hint({ index, text }: { index: number; text: string }) {
  return (
    <rect
      className="hover:fill-foreground/5 fill-transparent"
      height={PLOT_HEIGHT}
      width={DAY_WIDTH}
      x={index * DAY_WIDTH}
      y={0}
    >
      <title>{text}</title>
    </rect>
  );
}
