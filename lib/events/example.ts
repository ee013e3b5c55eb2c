import { IDS, KEY_ACTOR, REQUEST_ID } from "#lib/api/contract/samples.ts";
import type { DeclaredEvent } from "#lib/events/event.ts";

const SUBJECTS: Readonly<Record<string, object>> = {
  card: { type: "card", id: IDS.card },
  float: { type: "float", id: IDS.float },
  user: { type: "cardholder", id: IDS.user },
};

/** An example of an event, as its notification sends it. */
export function toExample({ name, example }: DeclaredEvent): object {
  return {
    id: IDS.delivery,
    event: name,
    api_version: "0.5.0",
    environment: "sandbox",
    created_at: "2026-11-21T07:56:40.105Z",
    integrator_id: IDS.integrator,
    subject: toSubject(name),
    sequence: 4,
    request_id: REQUEST_ID,
    actor: KEY_ACTOR,
    data: example.data,
    previous: example.previous ?? null,
    checksum: "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
  };
}

/** The first word of an event's name says what it is about. */
function toSubject(name: string) {
  const [noun = ""] = name.split(".");
  return SUBJECTS[noun] ?? { type: "account", id: IDS.integrator };
}
