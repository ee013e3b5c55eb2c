import type { z } from "zod";
import type { eventSchema } from "#lib/api/contract/event.ts";
import type { RecordedEvent } from "#lib/webhooks/event-reads.ts";

/** A page of events, each byte for byte as its notification sends it. */
export function toEventList(events: readonly RecordedEvent[], nextCursor: string | null): string {
  const bodies = events.map(({ body }) => body).join(",");
  return `{"data":[${bodies}],"next_cursor":${JSON.stringify(nextCursor)}}`;
}

/** The event as its notification sends it. */
export function toEventResource({ body }: RecordedEvent): z.input<typeof eventSchema> {
  return JSON.parse(body);
}
