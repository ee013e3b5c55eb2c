import { BalanceLine } from "../chart/balance-line.tsx";
import { ChartFrame, DAY_WIDTH, PLOT_HEIGHT, toAmountScale } from "../chart/chart-frame.tsx";
import { toBars, toBarSpan } from "../chart/chart-bars.ts";
import type { BarSum } from "../chart/chart-bars.ts";
import { formatMoney, formatRoughMoney } from "#lib/base/money.ts";
import type { FloatDay } from "#lib/overview/float-days.ts";

interface Props {
  days: readonly FloatDay[];
  currency: string;
}

/** The float at the end of each day, and its threshold. */
export function FloatLine({
  threshold,
  ...props
}: Props & {
  /** The low-balance threshold; null without one. */
  threshold: number | null;
}) {
  return (
    <BalanceLine
      {...props}
      legend={
        threshold !== null && <ThresholdLegend amount={threshold} currency={props.currency} />
      }
      name="Float"
      threshold={threshold}
    />
  );
}

function ThresholdLegend({ amount, currency }: { amount: number; currency: string }) {
  return (
    <p className="text-muted flex items-center gap-2 text-xs">
      <span aria-hidden className="border-pending w-5 border-t border-dashed" />
      <span>{`Low-balance threshold, ${formatMoney(amount, currency)}`}</span>
    </p>
  );
}

/** Inflow and outflow, side by side. */
export function FlowBars(props: Props) {
  return (
    <PairedBars
      {...props}
      title="Money in and out"
      nothing="Nothing moved in or out of the float"
      first={{ of: "inflow", name: "In", words: "into the float" }}
      second={{ of: "outflow", name: "Out", words: "out of the float" }}
    />
  );
}

/** Purchases and refunds, side by side. */
export function SpendingBars(props: Props) {
  return (
    <PairedBars
      {...props}
      title="Card spending"
      nothing="No card spending"
      first={{ of: "refunded", name: "Refunded", words: "refunded" }}
      second={{ of: "spent", name: "Spent", words: "spent" }}
    />
  );
}

interface Side {
  of: BarSum;
  name: string;
  /** As in `$5.00 … it`. */
  words: string;
}

const BAR_WIDTH = DAY_WIDTH * 0.32;

function PairedBars({
  days,
  currency,
  title,
  nothing,
  first,
  second,
}: Props & { title: string; nothing: string; first: Side; second: Side }) {
  if (days.every((day) => day[first.of] === 0 && day[second.of] === 0)) {
    return <Nothing>{`${nothing} in the last ${days.length} days.`}</Nothing>;
  }
  const sides = [
    { ...first, fill: "fill-active", swatch: "bg-active", offset: 0.16 },
    { ...second, fill: "fill-accent", swatch: "bg-accent", offset: 0.52 },
  ].map((side) => ({
    ...side,
    total: formatMoney(
      days.reduce((sum, day) => sum + BigInt(day[side.of]), 0n),
      currency,
    ),
  }));
  const bars = toBars(days);
  const { toY, ticks } = toAmountScale(
    Math.max(...bars.map((bar) => Math.max(bar[first.of], bar[second.of]))),
    currency,
  );
  return (
    <ChartFrame
      days={bars}
      label={`Last ${days.length} days: ${sides.map(({ total, words }) => `${total} ${words}`).join(", ")}`}
      legend={
        <div aria-hidden className="text-muted flex gap-4 text-xs">
          {sides.map(({ name, total, swatch }) => (
            <span className="flex items-center gap-1.5" key={name}>
              <span className={`size-2.5 rounded-xs forced-color-adjust-none ${swatch}`} />{" "}
              <span>{`${name} ${total}`}</span>
            </span>
          ))}
        </div>
      }
      name={title}
      span={toBarSpan(days)}
      ticks={ticks}
      toFigures={(index) =>
        sides.map(({ of, name, swatch }) => ({
          name,
          amount: formatMoney(bars[index]?.[of] ?? 0, currency),
          swatch,
        }))
      }
      toTick={(amount) => formatRoughMoney(amount, currency)}
      toY={toY}
    >
      {sides.flatMap(({ of, fill, offset }) =>
        bars.map((bar, index) => (
          <rect
            className={fill}
            height={PLOT_HEIGHT - toY(bar[of])}
            key={`${of} ${bar.day}`}
            width={BAR_WIDTH}
            x={(index + offset) * DAY_WIDTH}
            y={toY(bar[of])}
          />
        )),
      )}
    </ChartFrame>
  );
}

/** Replaces a chart that would only show a line at zero. */
function Nothing({ children }: { children: string }) {
  return <p className="text-muted">{children}</p>;
}
