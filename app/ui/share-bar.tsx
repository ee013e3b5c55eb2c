/** A share of a whole as a bar. The text next to it states the share, too. */
export function ShareBar({
  share,
  isFull = false,
}: {
  /** From 0 to 1. */
  share: number;
  /** Whether the whole is used up, which turns the bar red. */
  isFull?: boolean;
}) {
  return (
    <span
      aria-hidden
      className="border-border bg-surface-secondary block h-2 overflow-hidden rounded-full border"
    >
      <span
        className={`block h-full forced-colors:bg-[Highlight] ${isFull ? "bg-danger" : "bg-accent"}`}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}
