import { z } from "zod";
import { cursor, idSchema, limit } from "#lib/api/contract/fields.ts";
import { oneOrMore, timeOrDay } from "#lib/api/contract/filters.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { eventSchema } from "#lib/api/contract/event.ts";
import { cardCreated } from "#lib/events/card-created.ts";
import { toExample } from "#lib/events/example.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import { EVENT_WAIT_MAX_S } from "#lib/webhooks/event-wait-limits.ts";

const WAIT = `This field must be a whole number of seconds, 0 to ${EVENT_WAIT_MAX_S}.`;

const wait = z
  .string()
  .regex(/^[0-9]{1,2}$/u, WAIT)
  .transform(Number)
  .pipe(z.int().max(EVENT_WAIT_MAX_S, WAIT))
  .meta({ document: { type: "integer", minimum: 0, maximum: EVENT_WAIT_MAX_S } })
  .default(0)
  .describe(
    `If there is no event yet, wait for one for up to this many seconds, at most ${EVENT_WAIT_MAX_S}. Without one, data is empty.`,
  );

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/events",
  summary:
    "List events, oldest first. next_cursor is present on the last page too, to resume from later",
  description:
    "Complete and in a stable order: read on from next_cursor, and you miss nothing. Without after and created_at, it starts with the first event of the account. An event is listed a moment after it happened, once nothing older can still be recorded.",
  kind: "read",
  scope: "webhooks:read",
  query: z
    .strictObject({
      event: oneOrMore(EVENT_NAMES).optional().describe("Only events with one of these names."),
      card_id: idSchema.optional().describe("Only events whose subject is this card."),
      subject_id: idSchema
        .optional()
        .describe("Only events whose subject is this card, float, account, or cardholder."),
      limit,
      after: cursor
        .optional()
        .describe(
          'The next_cursor of an earlier response; or "now", for the events recorded from now on.',
        ),
      created_at: timeOrDay
        .optional()
        .meta({ "x-rule": "Not beside after." })
        .describe(
          "Starts at or before the first event created at this time or later. Earlier events may come first; none is skipped. A day means its start in UTC. Not allowed beside after.",
        ),
      wait,
    })
    .refine((query) => query.created_at === undefined || query.after === undefined, {
      path: ["created_at"],
      error: "This field is not allowed beside after: one of them says where to start.",
    }),
  answer: pageOf(eventSchema).extend({
    next_cursor: z
      .string()
      .nullable()
      .describe(
        "Send it as after for the events that follow. The last page has one too; null only if after was not sent and there is no event.",
      ),
  }),
  errors: ["overloaded"],
  examples: [
    {
      query: { subject_id: IDS.card, event: "card.created,card.credited", limit: "15" },
      answer: { data: [toExample(cardCreated)], next_cursor: `41882.${IDS.delivery}` },
    },
  ],
});
