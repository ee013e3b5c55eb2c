import { z } from "zod";
import { eventSchema } from "#lib/api/contract/event.ts";
import { DECLARED } from "#lib/events/declared.ts";
import type { DeclaredEvent, Trigger } from "#lib/events/event.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

const ALL: readonly DeclaredEvent[] = Object.values(DECLARED);

/** How `floatdeck trigger` makes each event happen; null for events that it cannot trigger. */
export const TRIGGERS: Readonly<Record<string, Trigger | null>> = Object.fromEntries(
  ALL.map(({ name, trigger }) => [name, trigger]),
);

/** An event as a whole, as its notification sends it. */
export function toEventSchema(name: EventName): z.ZodType {
  const { data } = DECLARED[name];
  return z
    .strictObject({ ...eventSchema.shape, event: z.literal(name), data })
    .meta({ id: toEventType(name) });
}

/** The name of the schema: `card.reverse-transaction` is a `CardReverseTransactionEvent`. */
export function toEventType(name: EventName): string {
  const words = name.split(/[._-]/u).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

const FORMATS: ReadonlyMap<string, (formatter: EventFormatter) => Sentence> = new Map(
  ALL.flatMap(({ name, actions, format }) =>
    [name, ...Object.keys(actions)].map((each) => [each, format]),
  ),
);

/** Formats an event, or an action of the audit log that is declared with one; undefined for any other name. */
export function formatEvent(name: string, formatter: EventFormatter): Sentence | undefined {
  return FORMATS.get(name)?.(formatter);
}
