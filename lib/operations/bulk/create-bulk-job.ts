import { z } from "zod";
import { moment, verbatim } from "#lib/api/contract/fields.ts";
import { freezeLevel } from "#lib/api/contract/states.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { MINOR_UNITS } from "#lib/base/money-schemas.ts";
import { ITEMS_MAX } from "#lib/bulk/bulk-job.ts";
import { FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { BULK_JOB } from "#lib/operations/bulk/samples.ts";
import { bulkJobSchema, bulkMode, bulkOperation } from "#lib/api/contract/bulk-resources.ts";
import { bulkCards } from "#lib/operations/bulk/parts.ts";
import { OTHER_NEEDS_COMMENT } from "#lib/operations/cards/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const body = z
  .strictObject({
    operation: bulkOperation,
    ...bulkCards,
    reason: logSafe(z.enum(FREEZE_REASONS))
      .nullable()
      .default(null)
      .describe("Why cards are frozen; null without a reason. Only for freeze."),
    comment: verbatim.nullable().default(null),
    level: freezeLevel
      .optional()
      .describe("The level of the freezes to make or lift, as in a request for one card."),
    until: moment
      .nullable()
      .default(null)
      .describe("When the freezes end by themselves; null if they do not. Only for freeze."),
    mode: bulkMode.default("each"),
    check: logSafe(z.boolean())
      .default(false)
      .describe("Whether to decide everything and change nothing."),
  })
  .superRefine((asked, context) => {
    for (const { path, message } of findFaults(asked)) {
      context.addIssue({ code: "custom", input: asked, path: [...path], message });
    }
  })
  .meta({
    ...OTHER_NEEDS_COMMENT,
    oneOf: [{ required: ["items"] }, { required: ["filter"] }],
  });

const ALL_OR_NOTHING_MAX = 256;

interface Fault {
  path: readonly (string | number)[];
  message: string;
}

type Asked = Pick<
  z.output<typeof body>,
  "operation" | "items" | "filter" | "reason" | "comment" | "level" | "until" | "mode"
>;

function findFaults(asked: Asked): Fault[] {
  return [...findCardFaults(asked), ...findTermFaults(asked), ...findItemFaults(asked)];
}

function* findCardFaults({ operation: act, items, filter, mode }: Asked): Generator<Fault> {
  if (filter) {
    yield* findFilterFaults(act, items);
  } else if (!items) {
    yield { path: ["items"], message: "This field is required, unless filter is given." };
  }
  const isFew = items && items.length <= ALL_OR_NOTHING_MAX;
  if (mode === "all_or_nothing" && !isFew) {
    const message = `all_or_nothing needs items, at most ${ALL_OR_NOTHING_MAX} of them.`;
    yield { path: ["mode"], message };
  }
}

function* findFilterFaults(act: string, items: Asked["items"]): Generator<Fault> {
  if (items) {
    yield { path: ["filter"], message: "This field is allowed only without items." };
  }
  if (act === "credit") {
    yield { path: ["filter"], message: "A credit needs items, each with its amount." };
  }
}

/** Which operations take each term. */
const TAKERS = [
  ["reason", ["freeze"]],
  ["until", ["freeze"]],
  ["level", ["freeze", "unfreeze"]],
  ["comment", ["freeze", "unfreeze", "close"]],
] as const;

function* findTermFaults(asked: Asked): Generator<Fault> {
  for (const [name, takers] of TAKERS) {
    if (asked[name] && !takers.some((taker) => taker === asked.operation)) {
      yield { path: [name], message: toOnly(takers) };
    }
  }
  if (asked.reason === "other" && !asked.comment) {
    yield { path: ["comment"], message: 'This field is required with the reason "other".' };
  }
}

function toOnly(takers: readonly string[]): string {
  return `This field is allowed only for: ${takers.join(", ")}.`;
}

const MOVES = ["credit", "debit"] as const;

function* findItemFaults({ operation: act, items = [] }: Asked): Generator<Fault> {
  const isMove = MOVES.some((move) => move === act);
  for (const [at, item] of items.entries()) {
    const fault = isMove ? findAmountFault(act, item) : findMoveFault(item);
    if (fault) {
      yield { ...fault, path: ["items", at, ...fault.path] };
    }
  }
}

type Item = NonNullable<Asked["items"]>[number];

function findAmountFault(act: string, { amount }: Item): Fault | null {
  if (amount === undefined) {
    return { path: ["amount"], message: "This field is required." };
  }
  return act === "credit" && amount === "all" ? { path: ["amount"], message: MINOR_UNITS } : null;
}

function findMoveFault({ amount, narrative }: Item): Fault | null {
  if (amount !== undefined) {
    return { path: ["amount"], message: toOnly(MOVES) };
  }
  return narrative === null ? null : { path: ["narrative"], message: toOnly(MOVES) };
}

export const createBulkJob = operation({
  id: "createBulkJob",
  method: "POST",
  path: "/bulk",
  summary: `Freeze, unfreeze, close, credit, or debit up to ${ITEMS_MAX.toLocaleString("en-US")} cards in one request`,
  description:
    "Accepts a job and returns it; bulk.completed says when it has ended. Each card is changed exactly once, as by a request of its own, and a refusal does not affect the others. check decides everything and changes nothing: see what would be refused first. freeze and unfreeze need the scope cards:freeze, close needs cards:write, and credit and debit funds:write. The body may have 1 MiB and 40,000 members.",
  attempt: "change many cards",
  kind: "write",
  scope: "cards:read",
  body,
  large: true,
  status: 202,
  answer: z.strictObject({ data: bulkJobSchema }),
  examples: [
    {
      body: { operation: "freeze", reason: "internal_review", items: [{ card_id: IDS.card }] },
      answer: { data: { ...BULK_JOB, total: 1 } },
    },
    { body: { operation: "credit", check: true, items: [{ card_id: IDS.card, amount: 2_000 }] } },
    { body: { operation: "debit", filter: { user_id: IDS.user } } },
    {
      body: {
        operation: "unfreeze",
        level: "staff",
        mode: "all_or_nothing",
        items: [{ card_id: IDS.card }],
      },
    },
  ],
});
