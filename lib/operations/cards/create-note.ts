import { z } from "zod";
import { idSchema, NOT_BLANK, verbatimUpTo } from "#lib/api/contract/fields.ts";
import { activitySchema, NOTE } from "#lib/api/contract/activity.ts";
import { NOTE_LENGTH_MAX } from "#lib/cards/note-length.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const NOTE_ON_TRANSACTION = {
  comment: "The merchant says that it was charged twice.",
  transaction_id: IDS.transaction,
};

export const createNote = operation({
  id: "createNote",
  method: "POST",
  path: "/cards/{id}/notes",
  summary: "Write a note on a card or one of its transactions",
  description: "The card's timeline and the audit log show it, with its author. No event is sent.",
  attempt: "add a note to {card}",
  kind: "write",
  scope: "cards:write",
  notFound: "card_not_found",
  body: z.strictObject({
    comment: verbatimUpTo(NOTE_LENGTH_MAX)
      .refine((comment) => /\S/u.test(comment), "This field must not be empty.")
      .meta(NOT_BLANK)
      .describe(
        `The note in your own words, kept exactly as sent, at most ${NOTE_LENGTH_MAX} characters. It is never changed or deleted: correct it with another note. Erasing the cardholder erases it.`,
      ),
    transaction_id: idSchema
      .nullable()
      .default(null)
      .describe(
        "The transaction of this card that it is about; null or absent for the card itself.",
      ),
  }),
  status: 201,
  answer: z.strictObject({ data: activitySchema }),
  errors: ["transaction_not_found", "user_erased"],
  examples: [
    { id: IDS.card, body: { comment: NOTE.note.comment }, answer: { data: NOTE } },
    {
      id: IDS.card,
      body: NOTE_ON_TRANSACTION,
      answer: { data: { ...NOTE, note: { card_id: IDS.card, ...NOTE_ON_TRANSACTION } } },
    },
  ],
});
