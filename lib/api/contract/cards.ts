import { z } from "zod";
import {
  cursor,
  limit,
  metadata,
  metadataPatch,
  optionalId,
  page,
  source,
  text,
  verbatim,
  idSchema,
} from "#lib/api/contract/fields.ts";
import { cardFilter } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { activitySchema, cardSchema, pageOf } from "#lib/api/contract/resources.ts";
import { FREEZE_REASONS, REASONS_BY_SEVERITY } from "#lib/cards/card-state.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { currencySchema } from "#lib/base/money-schemas.ts";

const VALIDITY_DAYS_MAX = 1_825;

/** A precondition, so that a caller never undoes a change of status that it has not seen. */
const statusVersion = logSafe(
  z.int("This field must be a whole number: the status_version of the card as you last read it."),
)
  .nullable()
  .default(null)
  .describe(
    "The card's status_version as you last read it. If the status has changed since, the request is refused with card_status_changed. Omit it to change the card whatever its status.",
  );

const freezeBody = z
  .strictObject({
    reason: logSafe(z.enum(FREEZE_REASONS))
      .nullable()
      .default(null)
      .describe(
        `On a frozen card, another reason amends the freeze; a milder one never replaces a graver one. From the mildest to the gravest: ${REASONS_BY_SEVERITY.join(", ")}.`,
      ),
    comment: verbatim.nullable().default(null),
    status_version: statusVersion,
  })
  .refine((body) => body.reason !== "other" || body.comment, {
    path: ["comment"],
    error: 'This field is required with the reason "other".',
  })
  .meta({
    if: { properties: { reason: { const: "other" } }, required: ["reason"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema.
    then: { properties: { comment: { type: "string", minLength: 1 } }, required: ["comment"] },
  });

const unfreezeBody = z.strictObject({
  comment: verbatim.nullable().default(null),
  status_version: statusVersion,
});

const closeBody = z.strictObject({ comment: verbatim.nullable().default(null) });

export const freezeCard = operation({
  id: "freezeCard",
  method: "PATCH",
  path: "/cards/{id}/freeze",
  summary: "Freeze a card: every later transaction on it is declined",
  kind: "write",
  scope: "cards:write",
  since: "0.5.0",
  notFound: "card_not_found",
  body: freezeBody,
  answer: cardSchema,
  errors: ["card_closed", "card_status_changed", "clock_advancing", "overloaded"],
});

export const unfreezeCard = operation({
  id: "unfreezeCard",
  method: "PATCH",
  path: "/cards/{id}/unfreeze",
  summary: "Unfreeze a card",
  kind: "write",
  scope: "cards:write",
  since: "0.5.0",
  notFound: "card_not_found",
  body: unfreezeBody,
  answer: cardSchema,
  errors: ["card_closed", "card_status_changed", "clock_advancing", "overloaded"],
});

export const closeCard = operation({
  id: "closeCard",
  method: "POST",
  path: "/cards/{id}/close",
  summary: "Close a card permanently and return its available balance to the float",
  kind: "write",
  scope: "cards:write",
  notFound: "card_not_found",
  body: closeBody,
  answer: cardSchema,
  errors: [
    "card_closed",
    "card_has_holds",
    "balance_limit_exceeded",
    "books_unbalanced",
    "clock_advancing",
  ],
});

export const createVirtualCard = operation({
  id: "createVirtualCard",
  method: "POST",
  path: "/cards/create-virtual-card",
  summary: "Create an active virtual card with a zero balance for a registered user",
  kind: "write",
  scope: "cards:write",
  body: z.strictObject({
    user_id: idSchema,
    currency: currencySchema,
    design_type: text(),
    single_use: logSafe(z.boolean()),
    source,
    card_integrator_id: optionalId,
    validity: logSafe(
      z
        .int("This field must be a whole number of days.")
        .min(1, "This field must be at least 1.")
        .max(VALIDITY_DAYS_MAX, `This field must be at most ${VALIDITY_DAYS_MAX}.`),
    ),
    metadata: metadata.optional(),
  }),
  status: 201,
  answer: z.strictObject({ data: cardSchema }),
  errors: [
    "user_not_found",
    "user_archived",
    "integrator_not_found",
    "currency_mismatch",
    "clock_advancing",
  ],
});

export const listCards = operation({
  id: "listCards",
  method: "GET",
  path: "/cards",
  summary: "List cards, newest first. A Link header names the next page",
  kind: "read",
  linked: true,
  scope: "cards:read",
  query: z.strictObject({
    ...cardFilter,
    limit,
    page,
    cursor: cursor.optional(),
  }),
  answer: z.array(cardSchema),
});

export const getCard = operation({
  id: "getCard",
  method: "GET",
  path: "/cards/{id}",
  summary: "Get a card",
  kind: "read",
  tagged: true,
  scope: "cards:read",
  notFound: "card_not_found",
  answer: cardSchema,
});

export const updateCard = operation({
  id: "updateCard",
  method: "PATCH",
  path: "/cards/{id}",
  summary: "Change a card's metadata: a value sets its key, null removes it, other keys stay",
  kind: "write",
  scope: "cards:write",
  notFound: "card_not_found",
  body: z.strictObject({ metadata: metadataPatch }),
  answer: cardSchema,
  errors: ["clock_advancing"],
});

export const listCardActivity = operation({
  id: "listCardActivity",
  method: "GET",
  path: "/cards/{id}/activity",
  summary: "List a card's timeline, newest first",
  kind: "read",
  scope: "cards:read",
  notFound: "card_not_found",
  query: z.strictObject({ limit, cursor: cursor.optional() }),
  answer: pageOf(activitySchema),
});
