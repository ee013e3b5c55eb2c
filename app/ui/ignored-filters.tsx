import { Info } from "lucide-react";
import type { Param } from "./search-params.ts";

/** Names the filters in a URL that the list could not use, so that nobody thinks the list is filtered by them. */
export function IgnoredFilters({
  given,
  used,
}: {
  given: Readonly<Record<string, Param>>;
  /** The filters that the list uses; one that it knows but does not use is undefined. */
  used: Readonly<Record<string, unknown>>;
}) {
  const ignored = Object.keys(used).filter(
    (name) => used[name] === undefined && isFilled(given[name]),
  );
  return ignored.length === 0 ? null : (
    <p
      className="border-separator flex items-center gap-2 border-t px-4 py-2 text-xs"
      role="status"
    >
      <Info aria-hidden className="text-pending size-3.5 shrink-0" />
      <span>{`Not applied, because the value isn't valid: ${ignored.join(", ")}.`}</span>
    </p>
  );
}

function isFilled(given: Param): boolean {
  return given !== undefined && String(given).trim() !== "";
}
