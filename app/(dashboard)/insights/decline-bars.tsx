import { stack } from "d3-shape";
import { toBarSpan } from "../../chart/chart-bars.ts";
import { ChartFrame, DAY_WIDTH, toCountScale } from "../../chart/chart-frame.tsx";
import { Link } from "../../ui/link.tsx";
import { toHref } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { DeclineCounts } from "#lib/overview/declines.ts";
import { DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";

/** The most frequent reasons each have a color; the others share the last one. */
const COLORS = [
  { fill: "fill-accent", swatch: "bg-accent" },
  { fill: "fill-pending", swatch: "bg-pending" },
  { fill: "fill-accent-soft", swatch: "bg-accent-soft" },
  { fill: "fill-muted", swatch: "bg-muted" },
] as const;

const BAR_WIDTH = DAY_WIDTH * 0.64;

/** A day, or the days of a week. */
export interface DeclineBar {
  day: string;
  name: string;
  days: readonly { day: string }[];
}

interface Props {
  /** Most frequent first, each with a count for every bar. */
  declines: readonly DeclineCounts[];
  bars: readonly DeclineBar[];
}

/** The reasons for declined requests over time. Each day links to its transactions. */
export function DeclineBars({ declines, bars }: Props) {
  const span = toBarSpan(bars.flatMap(({ days }) => days));
  const series = toSeries(declines);
  const sums = bars.map((_, nth) =>
    series.reduce((sum, { counts }) => sum + (counts[nth] ?? 0), 0),
  );
  const { toY, ticks } = toCountScale(Math.max(...sums));
  const stacked = stack<number, number>()
    .keys(series.keys())
    .value((nth, key) => series[key]?.counts[nth] ?? 0)(bars.keys());
  return (
    <Panel title={`Declines, by ${span}`}>
      <ChartFrame
        days={bars.map((bar) => ({ ...bar, href: toList(bar) }))}
        label={`Declines, by ${span}: ${series.map(({ name, count }) => `${name} ${toText(count)}`).join(", ")}`}
        legend={<Legend series={series} />}
        name="Declines"
        span={span}
        ticks={ticks}
        toFigures={(nth) => [
          { name: "Declined", amount: toText(sums[nth] ?? 0) },
          ...series.flatMap(({ name, swatch, counts }) =>
            counts[nth] ? [{ name, swatch, amount: toText(counts[nth]) }] : [],
          ),
        ]}
        toTick={toText}
        toY={toY}
      >
        {stacked.flatMap((layer) =>
          layer.map(([from, to], nth) => (
            <rect
              className={`stroke-surface ${series[layer.key]?.fill}`}
              height={toY(from) - toY(to)}
              key={`${layer.key} ${bars[nth]?.day}`}
              vectorEffect="non-scaling-stroke"
              width={BAR_WIDTH}
              x={nth * DAY_WIDTH + (DAY_WIDTH - BAR_WIDTH) / 2}
              y={toY(to)}
            />
          )),
        )}
      </ChartFrame>
      <DeclineTable bars={bars} declines={declines} span={span} />
    </Panel>
  );
}

function toSeries(declines: readonly DeclineCounts[]) {
  const own = declines.length > COLORS.length ? COLORS.length - 1 : declines.length;
  const others = declines.slice(own);
  const shown = declines.slice(0, own).map(({ reason, count, counts }) => ({
    name: DECLINE_REASON_NAMES[reason],
    count,
    counts,
  }));
  const rest = {
    name: "Other reasons",
    count: others.reduce((sum, { count }) => sum + count, 0),
    counts: (declines[0]?.counts ?? []).map((_, nth) =>
      others.reduce((sum, { counts }) => sum + (counts[nth] ?? 0), 0),
    ),
  };
  return [...shown, ...(others.length > 0 ? [rest] : [])].map((each, index) => ({
    ...each,
    ...(COLORS[index] ?? COLORS[0]),
  }));
}

function Legend({ series }: { series: ReturnType<typeof toSeries> }) {
  return (
    <div aria-hidden className="text-muted flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {series.map(({ name, count, swatch }) => (
        <span className="flex items-center gap-1.5" key={name}>
          <span className={`size-2.5 rounded-xs forced-color-adjust-none ${swatch}`} />
          <span>{`${name} ${toText(count)}`}</span>
        </span>
      ))}
    </div>
  );
}

/** The same figures as text, newest first. Each links to its transactions. */
function DeclineTable({ declines, bars, span }: Props & { span: "day" | "week" }) {
  const rows = bars
    .map((bar, nth) => ({
      bar,
      counted: declines.flatMap(({ reason, counts }) =>
        counts[nth] ? [{ reason, count: counts[nth] }] : [],
      ),
    }))
    .filter(({ counted }) => counted.length > 0)
    .toReversed();
  return (
    <details>
      <summary className="underlined-link w-fit cursor-pointer list-none">Show as a table</summary>
      <table aria-label={`Declines, by ${span}`} className="mt-2 w-full border-collapse">
        <thead className="text-muted text-xs">
          <tr>
            <Head>{span === "week" ? "Week" : "Day"}</Head>
            <Head>Reason</Head>
            <th className="text-end font-normal" scope="col">
              Declined
            </th>
          </tr>
        </thead>
        {rows.map(({ bar, counted }) => (
          <tbody className="border-separator border-t" key={bar.day}>
            {counted.map(({ reason, count }, index) => (
              <tr className="align-baseline" key={reason}>
                {index === 0 && (
                  <th
                    className="py-1 pr-4 text-start font-normal whitespace-nowrap"
                    rowSpan={counted.length}
                    scope="rowgroup"
                  >
                    {bar.name}
                  </th>
                )}
                <td className="py-1 pr-4">{DECLINE_REASON_NAMES[reason]}</td>
                <td className="py-1 text-end tabular-nums">
                  <Link
                    aria-label={`${toText(count)} declined: ${DECLINE_REASON_NAMES[reason]}, ${bar.name}`}
                    className="underlined-link"
                    href={toList(bar, reason)}
                  >
                    {toText(count)}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </details>
  );
}

function Head({ children }: { children: string }) {
  return (
    <th className="pr-4 text-start font-normal" scope="col">
      {children}
    </th>
  );
}

/** The URL of the list of declined transactions on the days of a bar. */
function toList({ days }: DeclineBar, reason?: DeclineCounts["reason"]): string {
  const range = { from: days[0]?.day, to: days.at(-1)?.day };
  return toHref(
    "/transactions",
    reason === undefined ? { status: "declined", ...range } : { decline_reason: reason, ...range },
  );
}

function toText(count: number): string {
  return count.toLocaleString("en-US");
}
