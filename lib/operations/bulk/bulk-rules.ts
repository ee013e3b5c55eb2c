import { Conditions, when } from "#lib/api/contract/conditions.ts";
import type { Condition } from "#lib/api/contract/conditions.ts";
import { MINOR_UNITS } from "#lib/base/money-schemas.ts";
import { BULK_OPERATIONS } from "#db/schema/bulk.ts";
import type { BulkOperation } from "#lib/bulk/bulk-job.ts";
import { isUndoable } from "#lib/bulk/inverses.ts";

/** The rules on which members a bulk job takes with which operation, both as a check and for the document. */

/** The members that say which cards a job has. */
export const SOURCES = ["items", "filter", "changed_by"] as const;

const ALL_OR_NOTHING_MAX = 256;

/** A member that only some operations take. The others take it as one of `empty`, or not at all. */
interface Taken<Name extends string> {
  name: Name;
  takers: readonly BulkOperation[];
  empty: readonly unknown[];
}

const TAKEN = [
  { name: "reason", takers: ["freeze"], empty: [null] },
  { name: "until", takers: ["freeze"], empty: [null] },
  { name: "level", takers: ["freeze", "unfreeze"], empty: [] },
  { name: "changed_by", takers: BULK_OPERATIONS.filter(isUndoable), empty: [] },
  { name: "spending_controls", takers: ["set_spending_controls"], empty: [null] },
  { name: "comment", takers: ["freeze", "unfreeze", "close"], empty: [null, ""] },
] as const satisfies readonly Taken<string>[];

/** The operation that needs them, even if they are null, unless it is an undo. */
const SETTING: readonly BulkOperation[] = ["set_spending_controls"];

/** The same of an item. */
const ITEM_TAKEN = [
  { name: "amount", takers: ["credit", "debit"], empty: [] },
  { name: "narrative", takers: ["credit", "debit"], empty: [null, ""] },
  { name: "status_version", takers: ["freeze", "unfreeze"], empty: [null] },
] as const satisfies readonly Taken<string>[];

/** The members that an undo takes from the job that it undoes. */
const UNDONE_TERMS = ["reason", "level", "until", "spending_controls"] as const;

/** The operations that move money, and so have an amount for each card. */
const MOVING: readonly BulkOperation[] = ["credit", "debit"];

interface Item {
  amount?: number | "all" | undefined;
  narrative?: string | null | undefined;
  status_version?: number | null | undefined;
}

/** The members of a job that the rules check. */
interface Checked {
  operation: BulkOperation;
  items?: readonly Item[] | undefined;
  filter?: object | undefined;
  changed_by?: string | undefined;
  reason: string | null;
  comment: string | null;
  level?: string | undefined;
  until: Date | null;
  spending_controls?: object | null | undefined;
  mode: string;
}

interface Fault {
  path: readonly (string | number)[];
  message: string;
}

/** The rules that the form of a job breaks. */
export function findBulkFaults(asked: Checked): Fault[] {
  return [
    ...findCardFaults(asked),
    ...findTermFaults(asked),
    ...findUndoFaults(asked),
    ...findItemFaults(asked),
  ];
}

function* findCardFaults(asked: Checked): Generator<Fault> {
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

function* findTermFaults(asked: Checked): Generator<Fault> {
  for (const { name, takers } of TAKEN) {
    if (asked[name] && !isAmong(takers, asked.operation)) {
      yield { path: [name], message: toOnly(takers) };
    }
  }
  const isSetting = isAmong(SETTING, asked.operation) && asked.changed_by === undefined;
  if (isSetting && asked.spending_controls === undefined) {
    const message = "This field is required: {} for none, and null for those of the account.";
    yield { path: ["spending_controls"], message };
  }
  if (asked.reason === "other" && !asked.comment) {
    yield { path: ["comment"], message: 'This field is required with the reason "other".' };
  }
}

function* findUndoFaults(asked: Checked): Generator<Fault> {
  const isUndo = asked.changed_by !== undefined && !asked.items && !asked.filter;
  for (const name of UNDONE_TERMS) {
    if (isUndo && asked[name]) {
      const message = "This field is not allowed with changed_by: an undo puts back what stood.";
      yield { path: [name], message };
    }
  }
}

function* findItemFaults({ operation: act, items = [] }: Checked): Generator<Fault> {
  for (const [at, item] of items.entries()) {
    const fault = findItemFault(act, item);
    if (fault) {
      yield { ...fault, path: ["items", at, ...fault.path] };
    }
  }
}

function findItemFault(act: BulkOperation, item: Item): Fault | null {
  for (const { name, takers } of ITEM_TAKEN) {
    if ((item[name] ?? null) !== null && !isAmong(takers, act)) {
      return { path: [name], message: toOnly(takers) };
    }
  }
  return MOVING.includes(act) ? findAmountFault(act, item) : null;
}

function findAmountFault(act: BulkOperation, { amount }: Item): Fault | null {
  if (amount === undefined) {
    return { path: ["amount"], message: "This field is required." };
  }
  return act === "credit" && amount === "all" ? { path: ["amount"], message: MINOR_UNITS } : null;
}

function isAmong(takers: readonly BulkOperation[], act: BulkOperation): boolean {
  return takers.includes(act);
}

function toOnly(takers: readonly string[]): string {
  return `This field is allowed only for: ${takers.join(", ")}.`;
}

const job = new Conditions([
  "operation",
  ...SOURCES,
  "reason",
  "comment",
  "level",
  "until",
  "spending_controls",
  "mode",
  "check",
]);
const item = new Conditions(["card_id", "amount", "narrative", "status_version"]);

/** The same rules in the document. */
export const BULK_CONDITIONS = [
  ...TAKEN.map((taken) => toTakenOnly(taken, toEmpty(job, taken))),
  ...ITEM_TAKEN.map((taken) => toTakenOnly(taken, toEach(toEmpty(item, taken)))),
  when(
    { ...job.unsent("changed_by"), ...job.among("operation", SETTING) },
    job.sent("spending_controls"),
  ),
  when(job.among("operation", MOVING), toEach(item.sent("amount"))),
  when(job.among("operation", ["credit"]), toEach(item.fits("amount", { type: "integer" }))),
  when(job.among("operation", ["credit"]), job.unsent("filter")),
  when(
    { ...job.sent("mode"), ...job.among("mode", ["all_or_nothing"]) },
    { ...job.sent("items"), ...job.fits("items", { maxItems: ALL_OR_NOTHING_MAX }) },
  ),
  ...TAKEN.filter(({ name }) => isUndone(name)).map((taken) =>
    when(job.sent("changed_by"), toEmpty(job, taken)),
  ),
];

function toTakenOnly({ takers }: Taken<string>, empty: Condition) {
  const others = BULK_OPERATIONS.filter((act) => !isAmong(takers, act));
  return when(job.among("operation", others), empty);
}

function toEmpty<Name extends string>(
  of: Conditions<Name>,
  { name, empty }: Taken<NoInfer<Name>>,
): Condition {
  return empty.length === 0 ? of.unsent(name) : of.among(name, empty);
}

function toEach(condition: Condition): Condition {
  return job.fits("items", { items: condition });
}

function isUndone(name: string): boolean {
  return UNDONE_TERMS.some((undone) => undone === name);
}
