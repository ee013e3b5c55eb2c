import type { ActorRef } from "#lib/base/actor.ts";
import { formatEvent } from "#lib/events/events.ts";
import type { RecordRef } from "#lib/record/names.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import { EventFormatter } from "#lib/sentences/event-formatter.ts";
import type { Members, SentenceContext } from "#lib/sentences/event-formatter.ts";

/** The members of an event's envelope that its sentence uses. */
export interface SentenceEvent {
  event: string;
  actor: ActorRef;
  subject: RecordRef;
  data: Members;
  previous: Members | null;
}

/** The sentence for an event. */
export function toEventSentence(
  { event, actor, subject, data, previous }: SentenceEvent,
  context: SentenceContext,
): Sentence {
  const formatter = new EventFormatter(context, { actor, subject, before: previous, after: data });
  return formatEvent(event, formatter) ?? say`${event}`;
}
