import { toText } from "./search-params.ts";
import type { Param } from "./search-params.ts";

const DAY_MS = 86_400_000;
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/u;

/** The day that a member of an address gives, such as `2026-01-31`; any other text says nothing. */
export function toDay(given: Param): string | undefined {
  const text = toText(given);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Whole days in UTC, both included, as moments: the later one excluded. */
export function toMoments({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from: Date | undefined;
  to: Date | undefined;
} {
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
  };
}
