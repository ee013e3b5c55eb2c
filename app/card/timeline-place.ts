import { toId, toText } from "../ui/search-params.ts";
import type { Param } from "../ui/search-params.ts";
import { toHref } from "../ui/pager.tsx";
import { ACTIVITY_TYPES } from "#lib/transactions/card-activity.ts";
import type { Activity } from "#lib/transactions/card-activity.ts";

/** The part of a card's timeline that a page shows, as its URL says. */
export interface TimelinePlace {
  /** Undefined for every type. */
  type: Activity["type"] | undefined;
  /** Where it begins; undefined for the newest. */
  before: string | undefined;
  showsRequests: boolean;
}

/** The search parameters that name a place. */
export type TimelineParams = Readonly<Partial<Record<"activity" | "before" | "requests", Param>>>;

const SHOWN = "shown";

/** Reads the place from a page's search parameters; invalid values are ignored. */
export function toTimelinePlace({ activity, before, requests }: TimelineParams): TimelinePlace {
  return {
    type: ACTIVITY_TYPES.find((type) => type === activity),
    before: toId(before),
    showsRequests: toText(requests) === SHOWN,
  };
}

/** The URL of a place. */
export function toTimelineHref(cardId: string, place: TimelinePlace): string {
  return toHref(`/cards/${cardId}`, {
    activity: place.type,
    before: place.before,
    requests: place.showsRequests ? SHOWN : undefined,
  });
}
