import { area, curveStep, line } from "d3-shape";
import { ChartFrame, DAY_WIDTH, PLOT_HEIGHT, toAmountScale } from "./chart-frame.tsx";
import type { Elements } from "../ui/elements.ts";
import { formatMoney, formatRoughMoney } from "#lib/base/money.ts";
import type { BalanceDay } from "#lib/overview/balance-days.ts";

interface Props {
  /** Whose balance it is: `Float`. */
  name: string;
  days: readonly BalanceDay[];
  currency: string;
  /** The value of an additional horizontal line, in minor units; null without one. */
  threshold?: number | null;
  legend?: Elements;
}

const toMiddle = (index: number) => (index + 0.5) * DAY_WIDTH;

/** A balance at the end of each day, as a line. */
export function BalanceLine({ name, days, currency, threshold = null, legend }: Props) {
  if (days.every(({ closing }) => closing === 0)) {
    return <p className="text-muted">{`Empty for the last ${days.length} days.`}</p>;
  }
  const { toY, ticks } = toAmountScale(
    Math.max(threshold ?? 0, ...days.map(({ closing }) => closing)),
    currency,
  );
  const points = days.map(({ closing }, index): [number, number] => [
    toMiddle(index),
    toY(closing),
  ]);
  return (
    <ChartFrame
      days={days}
      label={toLabel({ name, days, currency })}
      legend={legend}
      name={name}
      ticks={ticks}
      toFigures={(index) => [{ name, amount: formatMoney(days[index]?.closing ?? 0, currency) }]}
      toTick={(amount) => formatRoughMoney(amount, currency)}
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
      {threshold !== null && (
        <line
          className="stroke-pending"
          strokeDasharray="4 4"
          vectorEffect="non-scaling-stroke"
          x1={0}
          x2={days.length * DAY_WIDTH}
          y1={toY(threshold)}
          y2={toY(threshold)}
        />
      )}
    </ChartFrame>
  );
}

function toLabel({ name, days, currency }: Pick<Props, "name" | "days" | "currency">): string {
  const [first = 0, last = 0] = [days[0], days.at(-1)].map((day) => day?.closing ?? 0);
  return `${name} over the last ${days.length} days, from ${formatMoney(first, currency)} to ${formatMoney(last, currency)}`;
}
