"use client";

import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatMoney, minorDigits } from "#lib/money.ts";
import type { OverviewDay } from "#lib/overview.ts";

const HEIGHT = 192;
const AXIS = { fill: "var(--muted)", fontSize: 11 };
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

interface Props {
  days: readonly OverviewDay[];
  currency: string;
}

/** The float at the end of each day, as a line. */
export function FloatLine({ days, currency }: Props) {
  const first = days[0]?.closing ?? 0;
  const last = days.at(-1)?.closing ?? 0;
  return (
    <figure
      aria-label={`The float over 30 days, from ${formatMoney(first, currency)} to ${formatMoney(last, currency)}`}
      className="mt-4"
      role="img"
    >
      <ResponsiveContainer height={HEIGHT} width="100%">
        <AreaChart
          accessibilityLayer={false}
          data={[...days]}
          margin={{ left: 0, right: 8, top: 8 }}
        >
          {frame(currency)}
          <Area
            dataKey="closing"
            fill="var(--accent)"
            fillOpacity={0.12}
            isAnimationActive={false}
            name="Float"
            stroke="var(--link)"
            strokeWidth={2}
            type="stepAfter"
          />
        </AreaChart>
      </ResponsiveContainer>
    </figure>
  );
}

/** What came in and what went out, side by side. */
export function FlowBars(props: Props) {
  return (
    <PairedBars
      {...props}
      first={{ of: "cameIn", name: "In", words: "came into the float" }}
      second={{ of: "wentOut", name: "Out", words: "left it" }}
    />
  );
}

/** What was bought with the cards and what was given back to them, side by side. */
export function SpendingBars(props: Props) {
  return (
    <PairedBars
      {...props}
      first={{ of: "refunded", name: "Given back", words: "was given back to the cards" }}
      second={{ of: "spent", name: "Spent", words: "was spent with them" }}
    />
  );
}

interface Side {
  of: "cameIn" | "wentOut" | "spent" | "refunded";
  name: string;
  /** As in `$5.00 … it`. */
  words: string;
}

function PairedBars({ days, currency, first, second }: Props & { first: Side; second: Side }) {
  const sides = [
    { ...first, fill: "var(--active)", swatch: "bg-active" },
    { ...second, fill: "var(--accent)", swatch: "bg-accent" },
  ].map((side) => ({
    ...side,
    total: formatMoney(
      days.reduce((sum, day) => sum + day[side.of], 0),
      currency,
    ),
  }));
  return (
    <figure
      aria-label={`In 30 days ${sides.map(({ total, words }) => `${total} ${words}`).join(" and ")}`}
      role="img"
    >
      <div aria-hidden className="text-muted mb-2 flex gap-4 text-xs">
        {sides.map(({ name, total, swatch }) => (
          <span className="flex items-center gap-1.5" key={name}>
            <span className={`size-2.5 rounded-xs ${swatch}`} /> {name} {total}
          </span>
        ))}
      </div>
      <ResponsiveContainer height={HEIGHT} width="100%">
        <BarChart
          accessibilityLayer={false}
          data={[...days]}
          margin={{ left: 0, right: 8, top: 8 }}
        >
          {frame(currency)}
          {sides.map(({ of, name, fill }) => (
            <Bar
              dataKey={of}
              fill={fill}
              isAnimationActive={false}
              key={of}
              name={name}
              radius={2}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </figure>
  );
}

/** Grid, axes and what hovering shows: the same on both. */
function frame(currency: string) {
  const compact = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    notation: "compact",
    maximumFractionDigits: 1,
  });
  const scale = 10 ** minorDigits(currency);
  return [
    <CartesianGrid key="grid" stroke="var(--separator)" vertical={false} />,
    <XAxis
      axisLine={false}
      dataKey="day"
      key="x"
      minTickGap={32}
      tick={AXIS}
      tickFormatter={(day: string) => DAY.format(new Date(day))}
      tickLine={false}
    />,
    <YAxis
      axisLine={false}
      key="y"
      tick={AXIS}
      tickFormatter={(amount: number) => compact.format(amount / scale)}
      tickLine={false}
      width={64}
    />,
    <Tooltip
      contentStyle={{
        background: "var(--overlay)",
        border: "1px solid var(--border)",
        borderRadius: 8,
        fontSize: 12,
      }}
      cursor={{ stroke: "var(--border)", fill: "var(--default)" }}
      formatter={(amount) => formatMoney(Number(amount), currency)}
      isAnimationActive={false}
      key="tooltip"
      labelFormatter={(day) => (typeof day === "string" ? DAY.format(new Date(day)) : "")}
    />,
  ];
}
