import { z } from "zod";
import { MOMENT_MAX_MS, metadata, momentOr, text, idSchema } from "#lib/api/contract/fields.ts";
import type { MemberErrors } from "#lib/base/errors.ts";
import { CARD_ORDERS, CARD_STATUSES } from "#lib/cards/card-state.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { COVER_SOURCES, POSTED_WITHOUT_APPROVAL } from "#lib/transactions/transaction-kinds.ts";
import { FLOAT_KINDS } from "#lib/funds/float-kinds.ts";
import { BALANCE_MAX } from "#lib/base/money.ts";
import { MINOR_UNITS } from "#lib/base/money-schemas.ts";
import { UNKNOWN_SPEND, UNNAMED_MERCHANT } from "#db/schema/unknown-spend.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#lib/transactions/transaction-kinds.ts";

/** The filters of lists. */

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/u;
const DAY_MS = 24 * 3_600_000;

const dayStartOrMoment = momentOr(
  "This field must be a day or an RFC 3339 time, for example 2026-01-31 or 2026-01-31T00:00:00Z.",
);

/** A time, or a day, which stands for `toMoment` of its start in UTC. */
function boundary(toMoment: (dayStart: number) => number) {
  return z
    .string()
    .transform((given, context) => {
      const isDay = DAY.test(given);
      const read = dayStartOrMoment.safeParse(isDay ? `${given}T00:00:00Z` : given);
      if (read.success) {
        return isDay ? new Date(toMoment(read.data.getTime())) : read.data;
      }
      const [{ message } = { message: "" }] = read.error.issues;
      context.issues.push({ code: "custom", input: given, message });
      return z.NEVER;
    })
    .meta({
      document: {
        anyOf: [
          { type: "string", format: "date" },
          { type: "string", format: "date-time" },
        ],
      },
    });
}

/** The start of a period: a time, or a day, which stands for its start in UTC. */
export const timeOrDay = boundary((dayStart) => dayStart);

/**
 * The end of a period: a time, which is excluded, or a day, which is included, because it stands for the start of the
 * next day in UTC.
 */
const beforeTimeOrDay = boundary((dayStart) => Math.min(dayStart + DAY_MS, MOMENT_MAX_MS));

/** A period. `toPeriodErrors` checks both ends together. */
export const periodFilter = {
  from: timeOrDay.optional().describe("Only from this time on. A day means its start in UTC."),
  to: beforeTimeOrDay
    .meta({ "x-rule": "Not before from." })
    .optional()
    .describe("Only before this time. A day is included: it means its end in UTC."),
};

/** What is wrong with a period that ends before it begins; null for any other query. */
export function toPeriodErrors(query: unknown): MemberErrors | null {
  const ends = Object(query);
  const faults = PERIODS.filter(
    ([from, to]) => ends[from] instanceof Date && ends[to] instanceof Date && ends[from] > ends[to],
  ).flatMap(([from, to]) => [
    [from, [`This field must not be after ${to}.`]],
    [to, [`This field must not be before ${from}.`]],
  ]);
  return faults.length > 0 ? Object.fromEntries(faults) : null;
}

/** The pairs of members that begin and end a period. */
const PERIODS = [
  ["from", "to"],
  ["posted_from", "posted_to"],
] as const;

/** One or more words of a closed list: as a list in a body, or separated by commas in a query. */
export function oneOrMore<const Word extends string>(words: readonly Word[]) {
  const isWord = (given: string): given is Word => words.some((word) => word === given);
  const error = `This field must be one or more of ${words.join(", ")}, separated by commas.`;
  return z
    .union([z.string().transform((list) => list.split(",")), z.array(z.string()).min(1)], { error })
    .transform((list, context) => {
      const given = [...new Set(list)];
      if (given.every(isWord)) {
        return given;
      }
      context.issues.push({ code: "custom", input: list, message: error });
      return z.NEVER;
    })
    .meta({ document: { type: "array", items: { type: "string", enum: words }, minItems: 1 } });
}

/** A word that describes a merchant, or `unknown` for merchants without one. */
function spendName(form: RegExp, words: string) {
  return z.string().regex(form, `This field must be ${words} or ${UNKNOWN_SPEND}.`);
}

const minorUnits = z
  .string()
  .regex(/^[0-9]{1,16}$/u, MINOR_UNITS)
  .transform(Number)
  .pipe(z.int(MINOR_UNITS))
  .meta({ document: { type: "integer", minimum: 0, maximum: BALANCE_MAX } });

/** Which end of a list comes first. */
export const order = z.enum(CARD_ORDERS).optional().describe("Which come first. Default: newest.");

/** Which cards to list or export, and in which order. */
export const cardFilter = {
  // The published client sends an empty value when it does not filter.
  user_id: z
    .union([idSchema, z.literal("").transform(() => undefined)])
    .meta({ document: { type: "string", format: "uuid" } })
    .optional()
    .describe("Only cards of this cardholder."),
  status: oneOrMore(CARD_STATUSES).optional().describe("Only cards with one of these statuses."),
  freeze_ends_before: beforeTimeOrDay
    .optional()
    .describe(
      "Only frozen cards with a freeze that ends by itself before this time. A day is included: it means its end in UTC.",
    ),
  cover_outstanding: z
    .literal("true", "This field must be true.")
    .optional()
    .describe("Only cards with cover that has not been given back."),
  search: text()
    .optional()
    .describe(
      "An id, key=value of the metadata, or words in any order: parts of the name on the card, its last four digits, or the email of its cardholder, with or without what follows the @. Case and accents do not matter.",
    ),
  metadata: metadata
    .optional()
    .describe("Cards that have all of these entries, for example metadata[order_id]=4711."),
  ...periodFilter,
  order,
};

/** Which transactions of a card to list. */
export const transactionKindFilter = {
  type: oneOrMore(TRANSACTION_TYPES).optional().describe("Only transactions of these types."),
  status: oneOrMore(TRANSACTION_STATUSES)
    .optional()
    .describe("Only transactions with one of these statuses."),
  ...periodFilter,
};

/** Which transactions to list or export. */
export const transactionFilter = {
  card_id: idSchema.optional().describe("Only transactions of this card."),
  user_id: idSchema.optional().describe("Only transactions of this cardholder's cards."),
  ...transactionKindFilter,
  decline_reason: oneOrMore(DECLINE_REASONS)
    .optional()
    .describe("Only transactions that were declined for one of these reasons."),
  posted_as: oneOrMore(POSTED_WITHOUT_APPROVAL)
    .optional()
    .describe("Only purchases posted without an approval, in one of these ways."),
  covered: oneOrMore(COVER_SOURCES)
    .optional()
    .describe("Only purchases that the float paid in part, or that are owed in part."),
  mcc: spendName(/^(?:[0-9]{4}|unknown)$/u, "the four digits of an ISO 18245 merchant category")
    .optional()
    .describe("Only transactions with merchants of this category, or unknown."),
  country: spendName(/^(?:[A-Z]{2,3}|unknown)$/u, "an ISO 3166-1 country code, for example US,")
    .optional()
    .describe("Only transactions with merchants in this country, or unknown."),
  merchant: text()
    .optional()
    .describe(
      `Only transactions with the merchant of exactly this name. Those without one have ${UNNAMED_MERCHANT}.`,
    ),
  posted_from: timeOrDay
    .optional()
    .describe("Only purchases and refunds that posted from this time on."),
  posted_to: beforeTimeOrDay
    .meta({ "x-rule": "Not before posted_from." })
    .optional()
    .describe("Only purchases and refunds that posted before this time; a day is included."),
  amount_min: minorUnits
    .optional()
    .describe("Only transactions of at least this amount, in minor units."),
  amount_max: minorUnits
    .optional()
    .describe("Only transactions of at most this amount, in minor units."),
  search: text()
    .optional()
    .describe(
      "An id, or words in any order: parts of a narrative, merchant, decline reason, or name on the card, its last four digits, the email of its cardholder, with or without what follows the @, or amounts such as 7.41. Case and accents do not matter. What is about the card needs the scope cards:read.",
    ),
};

/** Which lines of the float's statement to list or export. */
export const floatEntryFilter = {
  kind: z.enum(FLOAT_KINDS).optional().describe("Only entries of this kind."),
  card_id: idSchema.optional().describe("Only entries with this card on the other side."),
  ...periodFilter,
};

/** Which entries of the audit log to list or export. */
export const auditFilter = {
  action: text(100)
    .optional()
    .describe(
      "An action, `refused` for every refused attempt, or an operation's id followed by `.refused`.",
    ),
  actor_id: idSchema.optional().describe("Only what this API key or person did."),
  target_id: idSchema.optional().describe("Only what was done to this object."),
  search: text()
    .optional()
    .describe(
      "An id, or words in any order: of the title of an action, parts of the name of the actor or of the object, or the last four digits of a card. Case and accents do not matter. A page may have fewer rows than its limit, or none, and still have a next_cursor.",
    ),
  ...periodFilter,
};
