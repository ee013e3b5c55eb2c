const HEIGHT = 20;
const WIDTH = 5;
const GAP = 1;

/** Calls per day as bars, the busiest day at full height. */
export function CallBars({
  days,
  total,
}: {
  days: readonly { date: string; calls: number }[];
  total: number;
}) {
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  return (
    <svg
      aria-label={`${total.toLocaleString("en-US")} calls in 30 days`}
      className="text-link"
      height={HEIGHT}
      role="img"
      width={days.length * WIDTH}
    >
      {days.map(({ date, calls }, index) => {
        const height = Math.max(1, Math.round((calls / most) * HEIGHT));
        return (
          <rect
            className={calls === 0 ? "fill-separator" : "fill-current"}
            height={height}
            key={date}
            width={WIDTH - GAP}
            x={index * WIDTH}
            y={HEIGHT - height}
          >
            <title>{`${date}: ${calls.toLocaleString("en-US")}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
