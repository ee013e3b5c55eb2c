/** The style of the menu's button in the stripe, which is only one line high. */
export const CLOCK_BUTTON = {
  className: "text-pending h-5 min-h-5 shrink-0 gap-1 rounded px-1.5 text-xs font-medium",
  size: "sm",
  variant: "ghost",
} as const;

/** A label that is short where the stripe is narrow. */
export function ClockLabel() {
  return (
    <span>
      Advance<span className="max-sm:sr-only"> deadlines</span>
    </span>
  );
}
