import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { activitySchema } from "#lib/api/contract/activity.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { periodFilter } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/operations/operation.ts";
import { CREDIT, IDS, KEY_ACTOR, REQUEST_ID } from "#lib/api/contract/samples.ts";

export const listCardActivity = operation({
  id: "listCardActivity",
  method: "GET",
  path: "/cards/{id}/activity",
  summary: "List a card's timeline, newest first",
  description:
    "Status changes, transactions, refused requests, and notes of one card, on one timeline. Exactly one of state_change, transaction, refusal, and note is set.",
  kind: "read",
  scope: "cards:read",
  notFound: "card_not_found",
  query: z.strictObject({ ...periodFilter, limit, cursor: cursor.optional() }),
  answer: pageOf(activitySchema),
  examples: [
    {
      id: IDS.card,
      query: { limit: "15" },
      answer: {
        data: [
          {
            id: IDS.transaction,
            type: "transaction",
            created_at: CREDIT.created_at,
            actor: KEY_ACTOR,
            request_id: REQUEST_ID,
            state_change: null,
            transaction: CREDIT,
            refusal: null,
            note: null,
          },
        ],
        next_cursor: null,
      },
    },
  ],
});
