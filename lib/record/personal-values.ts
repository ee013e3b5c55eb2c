import { REDACTED } from "#lib/record/request-classes.ts";
import { sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { Tx } from "#db/transaction.ts";

/** The name of an erased cardholder in responses and on pages. */
export const ERASED_NAME = "Erased cardholder";

/**
 * The API members that hold a cardholder's values, and what each holds after erasure. No other member of a card or a
 * cardholder holds personal data.
 */
export const ERASED_MEMBERS = new Map<string, unknown>([
  ["address", null],
  ["as_received", null],
  ["card_name", ERASED_NAME],
  ["comment", null],
  ["email", null],
  ["first_name", "Erased"],
  ["id_last4", null],
  ["id_type", null],
  ["last_name", "cardholder"],
  ["metadata", {}],
  ["narrative", null],
  ["phone_number", null],
  ["user_photo", null],
]);

/** Whether a member of the API holds a value of a cardholder. */
export function isPersonalMember(name: string): boolean {
  return ERASED_MEMBERS.has(name);
}

/** Whether records about this kind of subject can hold a cardholder's values. */
export function isAboutPerson(type: string): boolean {
  return type === "card" || type === "cardholder";
}

/** The placeholder email of an erased cardholder. It contains their id, because emails are unique. */
export function toErasedEmail(cardholderId: string): string {
  return `${cardholderId}@erased.invalid`;
}

const ERASED_EMAIL = /^[0-9a-f-]{36}@erased\.invalid$/u;

type Members = Readonly<Record<string, unknown>>;

/** A record as it reads once its cardholder is erased, and the personal values to merge into it until then. */
export interface Split<Value> {
  kept: Value;
  /** Null when there are none. */
  personal: Members | null;
}

/** Splits a cardholder's values from a record. Every member keeps its place, so that merging restores the order. */
export function splitPersonal<Value extends Members>(record: Value): Split<Value> {
  const kept: [string, unknown][] = [];
  const personal: [string, unknown][] = [];
  for (const [name, value] of Object.entries(record)) {
    const part = splitMember(name, value);
    kept.push([name, part.kept]);
    if (part.personal !== undefined) {
      personal.push([name, part.personal]);
    }
  }
  return {
    // The same members as before.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    kept: Object.fromEntries(kept) as Value,
    personal: personal.length > 0 ? Object.fromEntries(personal) : null,
  };
}

function splitMember(name: string, value: unknown): { kept: unknown; personal: unknown } {
  if (isPersonalMember(name)) {
    const erased = ERASED_MEMBERS.get(name);
    return isNone(value) || value === erased
      ? { kept: value, personal: undefined }
      : { kept: erased, personal: value };
  }
  if (Array.isArray(value)) {
    const parts = value.map((each) => splitMember("", each));
    const personal = parts.map((part) => part.personal ?? null);
    const isPersonal = personal.some((part) => part !== null);
    return {
      kept: parts.map((part) => part.kept),
      personal: isPersonal ? personal : undefined,
    };
  }
  if (!isMembers(value)) {
    return { kept: value, personal: undefined };
  }
  const { kept, personal } = splitPersonal(value);
  return { kept, personal: personal ?? undefined };
}

/**
 * Whether a value from one of our own responses, or any part of it, holds a cardholder's value. Erased and redacted
 * values do not count.
 */
export function holdsPersonal(value: unknown, name = ""): boolean {
  // An erased address still has its members.
  if (name === "address" && isMembers(value)) {
    return Object.values(value).some(isValue);
  }
  if (isPersonalMember(name)) {
    return isValue(value) && value !== ERASED_MEMBERS.get(name);
  }
  if (Array.isArray(value)) {
    return value.some((each) => holdsPersonal(each));
  }
  return (
    isMembers(value) && Object.entries(value).some(([each, inner]) => holdsPersonal(inner, each))
  );
}

function isValue(value: unknown): boolean {
  return !isNone(value) && value !== REDACTED;
}

/** Whether a value is empty: missing, or a placeholder after erasure. */
function isNone(value: unknown): boolean {
  if (typeof value === "string") {
    return value === "" || ERASED_EMAIL.test(value);
  }
  return (
    value === null || value === undefined || (isMembers(value) && Object.keys(value).length === 0)
  );
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Merges a cardholder's values into the record that they were split from. */
export function mergePersonal<Value extends Members>(
  record: Value,
  personal: Members | null,
): Value {
  if (personal === null) {
    return record;
  }
  const values = new Map(Object.entries(personal));
  const members = Object.entries(record).map(([name, kept]): [string, unknown] => {
    const over = values.get(name);
    if (!values.has(name)) {
      return [name, kept];
    }
    return [name, isPersonalMember(name) ? over : mergeValue(kept, over)];
  });
  // The same members as before.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(members) as Value;
}

function mergeValue(kept: unknown, over: unknown): unknown {
  if (Array.isArray(kept) && Array.isArray(over)) {
    return kept.map((each: unknown, index) => mergeValue(each, over[index] ?? each));
  }
  return isMembers(kept) && isMembers(over) ? mergePersonal(kept, over) : over;
}

/** A cardholder's values of one record. The subject is the card or the cardholder that the record is about. */
export interface PersonalRow {
  recordId: string;
  subjectId: string;
  personal: Members | null;
}

/**
 * Stores values that were split from records, in the transaction that writes the records. Skips rows without values.
 * @throws the database's error when the cardholder is being erased.
 */
export async function insertPersonal(
  tx: Tx,
  integratorId: string,
  rows: readonly PersonalRow[],
): Promise<void> {
  const found = rows.filter(({ personal }) => personal !== null);
  if (found.length === 0) {
    return;
  }
  const column = (read: (row: PersonalRow) => string) => sql.param(found.map(read));
  await tx.execute(sql`
    insert into personal_values (integrator_id, record_id, cardholder_id, content)
    select ${integratorId}, row.record_id, coalesce(c.cardholder_id, row.subject_id), row.content
    from unnest(
      ${column(({ recordId }) => recordId)}::uuid[],
      ${column(({ subjectId }) => subjectId)}::uuid[],
      ${column(({ personal }) => JSON.stringify(personal))}::text[]
    ) as row (record_id, subject_id, content)
    left join cards c on c.integrator_id = ${integratorId} and c.id = row.subject_id`);
}

/** The values of one record as JSON text, as a column to select; null when it has none, or when they are erased. */
export function personalOf(record: {
  integratorId: SQLWrapper;
  id: SQLWrapper;
}): SQL<string | null> {
  return sql<string | null>`(select personal.content from personal_values personal
    where personal.integrator_id = ${record.integratorId} and personal.record_id = ${record.id})`;
}
