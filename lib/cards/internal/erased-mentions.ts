import { sql } from "drizzle-orm";
import { eraseHeld, LOWEST_ID, SAVED_ANSWERS } from "#lib/cards/internal/erased-copies.ts";
import type { Copies } from "#lib/cards/internal/erased-copies.ts";
import { BATCH_ROWS, repeatBatch } from "#lib/cards/internal/erasing.ts";
import type { Erasing } from "#lib/cards/internal/erasing.ts";

/**
 * Erases texts that mention the cardholder's names, emails, or phone numbers, although no column says whom they are
 * about: saved views, by name or query; answers about such views; and, in the API log, idempotency keys and details
 * that quote the request. Values that do not identify a person on their own stay, such as a city or the value of a
 * label: a view of everybody in a city must survive the erasure of each of them. The values, current and former, are
 * read from the cardholder's records, so this must run before the records are erased.
 * @returns whether it finished. False if another process is erasing.
 */
export async function eraseMentions(holder: Erasing): Promise<boolean> {
  const values = new Set<string>();
  if (!(await readValues(holder, values))) {
    return false;
  }
  const phrases = [...values].map(toPhrase).filter((phrase) => phrase.trim() !== "");
  const namesHolder = (text: string) => {
    const told = toPhrase(toReadable(text));
    return phrases.some((phrase) => told.includes(phrase));
  };
  return (
    phrases.length === 0 ||
    ((await eraseHeld(holder, VIEWS, namesHolder)) &&
      (await eraseHeld(holder, ANSWERS, namesHolder)) &&
      (await eraseHeld(holder, KEYS, namesHolder)) &&
      (await eraseHeld(holder, DETAILS, namesHolder)))
  );
}

const VIEWS: Copies = {
  text: sql`name || ' ' || query`,
  table: sql`saved_views`,
  name: sql`id`,
  type: sql`uuid`,
  lowest: LOWEST_ID,
  holds: sql`true`,
  set: null,
};

const ANSWERS: Copies = {
  ...SAVED_ANSWERS,
  // Other answers are not read: they name the record that they are about, so `eraseCopies` finds them.
  text: sql`case when operation in ('createView', 'updateView', 'deleteView') then body else '' end`,
};

const OF_LOG = {
  table: sql`api_log`,
  name: sql`id`,
  type: sql`uuid`,
  lowest: LOWEST_ID,
};

const KEYS: Copies = {
  ...OF_LOG,
  text: sql`idempotency_key`,
  // Most keys are UUIDs, which name nobody.
  holds: sql`idempotency_key !~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$'`,
  set: sql`idempotency_key = null`,
};

const DETAILS: Copies = {
  ...OF_LOG,
  text: sql`detail`,
  holds: sql`detail is not null and code in ('validation_failed', 'request_malformed', 'version_unknown')`,
  set: sql`detail = null`,
};

/** The members of a record that identify a person by themselves. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  "card_name",
  "email",
  "first_name",
  "last_name",
  "phone_number",
]);

/** Adds all values that the cardholder's records have for identifying members. */
function readValues({ db, integratorId, id }: Erasing, values: Set<string>): Promise<boolean> {
  return repeatBatch(db, async (tx, after) => {
    const rows = await tx.execute<{ record: string; content: string }>(sql`
      select record_id as record, content from personal_values
      where integrator_id = ${integratorId} and cardholder_id = ${id}
        and record_id > ${after || LOWEST_ID}::uuid
      order by record_id limit ${BATCH_ROWS}`);
    for (const { content } of rows) {
      JSON.parse(content, (name, value: unknown) => {
        if (typeof value === "string" && IDENTIFYING.has(name)) {
          values.add(value);
        }
        return value;
      });
    }
    return rows.length === BATCH_ROWS ? (rows.at(-1)?.record ?? null) : null;
  });
}

/** The words of a text that is a URL's query string, or contains one. */
function toReadable(text: string): string {
  return [...new URLSearchParams(text)].flat().join(" ");
}

/** A word; in scripts without spaces, each character counts as one. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+/gv;

/** The words of a text as searches compare them (`search_text`), so that one text can be found in another by whole words. */
function toPhrase(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const folded = plain.toLowerCase().toUpperCase();
  return ` ${(folded.match(WORD) ?? []).join(" ")} `;
}
