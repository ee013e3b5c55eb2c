import { z } from "zod";
import { eventSchema } from "#lib/api/contract/event.ts";
import { DECLARED } from "#lib/events/declared.ts";
import type { DeclaredEvent, Trigger } from "#lib/events/event.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

const ALL: readonly DeclaredEvent[] = Object.values(DECLARED);

/** How the client's command makes each event happen; null for those that it cannot. */
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

/** What happened, by the name of an event or of an action that records the same; undefined for another name. */
export function formatEvent(name: string, formatter: EventFormatter): Sentence | undefined {
  return FORMATS.get(name)?.(formatter);
}
