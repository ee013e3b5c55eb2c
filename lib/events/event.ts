import type { z } from "zod";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

/**
 * What a trigger needs in the account. The command finds or creates it; afterwards, it restores the setting that it
 * changed and repays the deficit that it caused.
 */
export type Need =
  | "active card"
  | "new card"
  | "new cardholder"
  | "float at its threshold"
  | "card without funds";

/**
 * A call of the client library: `["cards.freeze", "$card"]`. `$card` and `$user` are the ids of the card and the
 * cardholder that the trigger needs; `$now` is the time, `$domain` the account's domain, and `$beyond` an amount
 * greater than the float's balance.
 */
export type Call = readonly [method: `${string}.${string}`, ...input: readonly unknown[]];

/** How `floatdeck trigger` makes an event happen in a sandbox. */
export interface Trigger {
  needs?: Need;
  calls: readonly Call[];
}

/**
 * One event, declared once. The OpenAPI document, the table of docs/webhooks.md, the client library, the command, and
 * the dashboard's sentences all derive from it.
 */
export interface DeclaredEvent {
  /** `card.frozen`: what it is about, and what happened. */
  name: `${string}.${string}`;
  /** Its place among the events with the same first word, such as `card`. */
  order: number;
  /** When it is sent, as a sentence. */
  when: string;
  data: z.ZodType;
  example: { data: object; previous?: object };
  /** The audit log's actions for the same occurrence, each with its title in menus and on timelines. */
  actions: Readonly<Record<string, string>>;
  /** What happened, as a sentence for the list of events and the audit log. */
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
