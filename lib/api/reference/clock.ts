import type { Entries } from "#lib/api/reference/entry.ts";

const NOW = "2026-11-29T07:56:40.105Z";
const AHEAD = { now: NOW, offset_seconds: 691_200, advancing_to: null };

export const SANDBOX_CLOCK: Entries = {
  getClock: {
    description:
      "A sandbox has a clock of its own, by which the expiry of authorizations and of cards is set and compared. It runs at the pace of real time, as far ahead as it was advanced. Every other time, such as created_at, is real.",
    example: { answer: { data: AHEAD } },
  },
  advanceClock: {
    description:
      "Give by_seconds or to. Before it answers, everything that is due on the way has happened once, in the order of its deadlines, with its events; due_at says when each was due. Meanwhile, changes of cards and funds are answered with 409 clock_advancing. The clock only goes forward, at most 400 days at once and 10 years in all. Under one Idempotency-Key it advances once.",
    example: { body: { by_seconds: 691_200 }, answer: { data: AHEAD } },
  },
  resetClock: {
    description:
      "Refused while an authorization is open or a card is not closed whose deadline was set ahead of real time; the detail counts them. What has expired stays expired.",
    example: {
      answer: {
        data: { now: "2026-11-21T07:56:40.105Z", offset_seconds: 0, advancing_to: null },
      },
    },
  },
};
