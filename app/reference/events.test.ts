import { expect, test } from "vitest";
import { findEvent, listEvents } from "./events.ts";
import { EVENTS } from "#lib/record/declared-events.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";

test("the reference lists every event of the catalog", () => {
  expect(listEvents().map(({ name }) => name)).toEqual(EVENT_NAMES);
});

test.each(EVENT_NAMES)("the page of %s says when it is sent and what it contains", (name) => {
  const event = findEvent(name);
  expect(event).toMatchObject({ name, when: EVENTS[name], example: { event: name } });
  expect(event?.data.members.length).toBeGreaterThan(0);
  const shown = [...(event?.members ?? []), event?.data].map((member) => member?.name);
  const sent = Object.keys(Object(event?.example));
  expect(shown).toHaveLength(sent.length);
  expect(shown).toEqual(expect.arrayContaining(sent));
});

test.each(["card.vanished", "constructor", ""])("%j has no page", (name) => {
  expect(findEvent(name)).toBeUndefined();
});
