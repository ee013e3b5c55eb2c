/** A share of a whole as a bar; the text beside it says it too. */
export function ShareBar({
  share,
  isFull = false,
}: {
  /** From 0 to 1. */
  share: number;
  /** Whether more than all of it is a fault. */
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
