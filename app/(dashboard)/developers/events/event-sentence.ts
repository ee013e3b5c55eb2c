import type { ActorRef } from "#lib/base/actor.ts";
import { tellEvent } from "#lib/events/events.ts";
import type { RecordRef } from "#lib/record/names.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import { Teller } from "#lib/sentences/teller.ts";
import type { Members, Telling } from "#lib/sentences/teller.ts";

/** The members of an event's envelope that its sentence uses. */
export interface ToldEvent {
  event: string;
  actor: ActorRef;
  subject: RecordRef;
  data: Members;
  previous: Members | null;
}

/** The sentence for an event. */
export function toEventSentence(told: ToldEvent, telling: Telling): Sentence {
  const { event, actor, subject, data, previous } = told;
  const teller = new Teller(telling, { actor, subject, before: previous, after: data });
  return tellEvent(event, teller) ?? say`${event}`;
}
