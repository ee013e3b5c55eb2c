/** The product's mark and name. */
export function Wordmark() {
  return (
    <span className="flex items-center gap-2 text-base font-semibold tracking-tight">
      <svg aria-hidden className="size-6" viewBox="0 0 32 32">
        <rect className="fill-accent" height="32" rx="7" width="32" />
        <rect fill="#fff" height="14" rx="2.5" width="20" x="6" y="9" />
        <rect className="fill-accent" height="3" width="20" x="6" y="12.5" />
      </svg>
      Floatdeck
    </span>
  );
}
