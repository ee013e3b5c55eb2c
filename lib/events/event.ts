import type { z } from "zod";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

/** What a trigger needs in the account. The command finds it or makes it, and gives back what it changed. */
export type Need =
  | "active card"
  | "new card"
  | "new cardholder"
  | "float at its threshold"
  | "card without funds";

/**
 * A call of the client library: `["cards.freeze", "$card"]`. `$card` and `$user` are the ids of what the trigger needs;
 * `$now` is the time, `$domain` the account's domain, and `$beyond` more than the float has.
 */
export type Call = readonly [method: `${string}.${string}`, ...input: readonly unknown[]];

/** How `floatdeck trigger` makes an event happen in a sandbox. */
export interface Trigger {
  needs?: Need;
  calls: readonly Call[];
}

/**
 * One event, declared once. The OpenAPI document, the table of docs/webhooks.md, the client library, the command, and what
 * the dashboard says of the event all derive from it.
 */
export interface DeclaredEvent {
  /** `card.frozen`: what it is about, and what happened. */
  name: `${string}.${string}`;
  /** Its place among the events that are about the same. */
  order: number;
  /** When it is sent, as a sentence. */
  when: string;
  data: z.ZodType;
  example: { data: object; previous?: object };
  /** The actions of the audit log that record the same, and what each is called in a menu or on a timeline. */
  actions: Readonly<Record<string, string>>;
  /** What happened, in the words of the list of events and of the audit log. */
  format: (formatter: EventFormatter) => Sentence;
  /** Null if no API key can make it happen. */
  trigger: Trigger | null;
}

/** Declares an event. */
export function event(
  declared: Omit<DeclaredEvent, "actions"> & Partial<DeclaredEvent>,
): DeclaredEvent {
  return { actions: {}, ...declared };
}
