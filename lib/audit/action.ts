import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

/**
 * One action of the audit log, declared once. The list of actions that code may record, the filter, the search, and the
 * sentence of an entry derive from it. An action that an event reports as well is declared with the event.
 */
export interface DeclaredAction {
  /** What it is called in a menu or on a timeline. */
  title: string;
  /** What happened, as a sentence. */
  format: (formatter: EventFormatter) => Sentence;
}

/** Actions by their names, such as `card.noted`. */
export type DeclaredActions = Readonly<Record<`${string}.${string}`, DeclaredAction>>;
