import { z } from "zod";
import { moment, verbatim } from "#lib/api/contract/fields.ts";
import { freezeLevel } from "#lib/api/contract/card.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { MINOR_UNITS } from "#lib/base/money-schemas.ts";
import { ITEMS_MAX } from "#lib/bulk/bulk-job.ts";
import { FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { BULK_JOB } from "#lib/operations/bulk/samples.ts";
import { bulkJobSchema, bulkMode, bulkOperation } from "#lib/api/contract/bulk.ts";
import { bulkCards } from "#lib/operations/bulk/parts.ts";
import { OTHER_NEEDS_COMMENT } from "#lib/operations/cards/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

/** The members that say which cards a job has. */
const SOURCES = ["items", "filter", "changed_by"] as const;

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
    oneOf: SOURCES.map((source) => ({ required: [source] })),
  });

const ALL_OR_NOTHING_MAX = 256;

interface Fault {
  path: readonly (string | number)[];
  message: string;
}

type Asked = Pick<
  z.output<typeof body>,
  "operation" | (typeof SOURCES)[number] | "reason" | "comment" | "level" | "until" | "mode"
>;

function findFaults(asked: Asked): Fault[] {
  return [
    ...findCardFaults(asked),
    ...findTermFaults(asked),
    ...findUndoFaults(asked),
    ...findItemFaults(asked),
  ];
}

function* findCardFaults(asked: Asked): Generator<Fault> {
  const { operation: act, items, filter, mode } = asked;
  const [first, ...more] = SOURCES.filter((source) => asked[source] !== undefined);
  if (!first) {
    const message = "This field is required, unless filter or changed_by is given.";
    yield { path: ["items"], message };
  }
  for (const source of more) {
    yield { path: [source], message: `This field is allowed only without ${first}.` };
  }
  if (filter && act === "credit") {
    yield { path: ["filter"], message: "A credit needs items, each with its amount." };
  }
  const isFew = items && items.length <= ALL_OR_NOTHING_MAX;
  if (mode === "all_or_nothing" && !isFew) {
    const message = `all_or_nothing needs items, at most ${ALL_OR_NOTHING_MAX} of them.`;
    yield { path: ["mode"], message };
  }
}

/** Which operations take each term. */
const TAKERS = [
  ["reason", ["freeze"]],
  ["until", ["freeze"]],
  ["level", ["freeze", "unfreeze"]],
  ["changed_by", ["freeze", "unfreeze"]],
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

/** What an undo takes from the job that it undoes. */
const UNDONE_TERMS = ["reason", "level", "until"] as const;

function* findUndoFaults(asked: Asked): Generator<Fault> {
  const isUndo = asked.changed_by !== undefined && !asked.items && !asked.filter;
  for (const name of UNDONE_TERMS) {
    if (isUndo && asked[name]) {
      const message = "This field is not allowed with changed_by: an undo puts back what stood.";
      yield { path: [name], message };
    }
  }
}

function toOnly(takers: readonly string[]): string {
  return `This field is allowed only for: ${takers.join(", ")}.`;
}

/** Which operations take each member of an item. */
const ITEM_TAKERS = [
  ["amount", ["credit", "debit"]],
  ["narrative", ["credit", "debit"]],
  ["status_version", ["freeze", "unfreeze"]],
] as const;

function* findItemFaults({ operation: act, items = [] }: Asked): Generator<Fault> {
  for (const [at, item] of items.entries()) {
    const fault = findItemFault(act, item);
    if (fault) {
      yield { ...fault, path: ["items", at, ...fault.path] };
    }
  }
}

type Item = NonNullable<Asked["items"]>[number];

function findItemFault(act: string, item: Item): Fault | null {
  for (const [name, takers] of ITEM_TAKERS) {
    if ((item[name] ?? null) !== null && !takers.some((taker) => taker === act)) {
      return { path: [name], message: toOnly(takers) };
    }
  }
  return act === "credit" || act === "debit" ? findAmountFault(act, item) : null;
}

function findAmountFault(act: string, { amount }: Item): Fault | null {
  if (amount === undefined) {
    return { path: ["amount"], message: "This field is required." };
  }
  return act === "credit" && amount === "all" ? { path: ["amount"], message: MINOR_UNITS } : null;
}

export const createBulkJob = operation({
  id: "createBulkJob",
  method: "POST",
  path: "/bulk",
  summary: `Freeze, unfreeze, close, credit, or debit up to ${ITEMS_MAX.toLocaleString("en-US")} cards in one request`,
  description:
    "Accepts a job and returns it; bulk.completed says when it has ended. Each card is changed exactly once, as by a request of its own, and a refusal does not affect the others. check decides everything and changes nothing: see what would be refused first. changed_by undoes exactly what an earlier freeze or unfreeze has changed, level by level. What has been changed since is refused with card_status_changed, and what the caller may not do by hand with freeze_not_liftable or scope_missing. freeze and unfreeze need the scope cards:freeze, close needs cards:write, and credit and debit funds:write. The body may have 1 MiB and 40,000 members.",
  attempt: "change many cards",
  kind: "write",
  scope: "cards:read",
  body,
  large: true,
  status: 202,
  answer: z.strictObject({ data: bulkJobSchema }),
  errors: ["reason_required"],
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
    { body: { operation: "unfreeze", changed_by: IDS.bulkJob } },
  ],
});
