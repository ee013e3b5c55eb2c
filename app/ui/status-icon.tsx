const CIRCLE = "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0";

/** Lucide's icons of these names, each as a single path. */
const PATHS = {
  ban: `${CIRCLE}M4.929 4.929 19.07 19.071`,
  "circle-check": `${CIRCLE}M16 9l-5.5 5.5L8 12`,
  "circle-x": `${CIRCLE}M15 9l-6 6M9 9l6 6`,
  clock: `${CIRCLE}M12 6v6l4 2`,
  snowflake:
    "M10 20l-1.25-2.5L6 18M10 4 8.75 6.5 6 6M14 20l1.25-2.5L18 18M14 4l1.25 2.5L18 6M17 21l-3-6h-4M17 3l-3 6 1.5 3M2 12h6.5L10 9M20 10l-1.5 2 1.5 2M22 12h-6.5L14 15M4 10l1.5 2L4 14M7 21l3-6-1.5-3M7 3l3 6h4",
  "timer-off":
    "M10 2h4M4.6 11a8 8 0 0 0 1.7 8.7 8 8 0 0 0 8.7 1.7M7.4 7.4a8 8 0 0 1 10.3 1 8 8 0 0 1 .9 10.2M2 2l20 20M12 12v-2",
  "undo-2": "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11",
} as const;

/**
 * The icon of a status. Every row of a list has one, and each element and attribute adds to a page's cost: Lucide's
 * own component has up to thirteen more elements and ten more attributes.
 */
export function StatusIcon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg aria-hidden className="status-icon" viewBox="0 0 24 24">
      <path d={PATHS[name]} />
    </svg>
  );
}
