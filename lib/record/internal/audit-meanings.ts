import { and, eq, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { ReadContext } from "#lib/base/context.ts";
import { isId } from "#lib/base/ids.ts";
import { matchWords, matchWordStart, toWords } from "#lib/base/search.ts";
import { REFUSED } from "#lib/record/audit-actions.ts";
import type { AuditSearch } from "#lib/record/audit-actions.ts";
import { matchCard } from "#lib/record/names.ts";
import { pipeline } from "#db/pipeline.ts";
import { cards } from "#db/schema/cards.ts";
import { apiKeys, cardholders, toSearchedPerson } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";

/** What a filter, or a word of a search, matches: every entry that has at least one of these. */
export interface Meaning {
  actions: readonly string[];
  /** Who acted. */
  staffIds: readonly string[];
  keyIds: readonly string[];
  /** What was acted upon. */
  recordIds: readonly string[];
  /** Any refused attempt. */
  isRefused?: boolean;
  /** The id of an entry, or of its request. */
  id?: string;
  /** The word itself, to compare with names, if `recordIds` does not list all cards and cardholders with the word. */
  name?: string;
}

const NONE: Meaning = { actions: [], staffIds: [], keyIds: [], recordIds: [] };

/** The meanings of the filters that narrow a search. */
export function toMeanings({
  action,
  actorId,
  isOfPerson,
  targetId,
}: {
  action?: string | undefined;
  actorId?: string | undefined;
  isOfPerson: boolean;
  targetId?: string | undefined;
}): Meaning[] {
  const meanings: (Meaning | false)[] = [
    action !== undefined && { ...NONE, ...toActionMeaning(action) },
    actorId !== undefined && { ...NONE, [isOfPerson ? "staffIds" : "keyIds"]: [actorId] },
    targetId !== undefined && { ...NONE, recordIds: [targetId] },
  ];
  return meanings.filter((meaning) => meaning !== false);
}

function toActionMeaning(action: string): Partial<Meaning> {
  return action === REFUSED ? { isRefused: true } : { actions: [action] };
}

/** If more cards than this have a word in their names, they are not listed; the same for cardholders. */
const NAMED_MAX = 500;

/** Cards and cardholders are listed for only this many words of a search. */
const WORDS_MAX = 8;

/** What each word of a search means. */
export function findMeanings(ctx: ReadContext, { text, titles }: AuditSearch): Promise<Meaning[]> {
  return pipeline(
    isId(text)
      ? [findMeaningOfId(ctx, text.toLowerCase())]
      : toWords(text).map((word, index) =>
          findMeaning(ctx, { word, titles, isListed: index < WORDS_MAX }),
        ),
  );
}

async function findMeaningOfId({ db, actor }: ReadContext, id: string): Promise<Meaning> {
  const keys = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.integratorId, actor.integratorId), eq(apiKeys.id, id)));
  return { ...NONE, staffIds: [id], keyIds: toIds(keys), recordIds: [id], id };
}

interface Word {
  word: string;
  titles: AuditSearch["titles"];
  /** Whether to list the cards and cardholders that it may mean. */
  isListed: boolean;
}

async function findMeaning(
  { db, actor: { integratorId } }: ReadContext,
  { word, titles, isListed }: Word,
): Promise<Meaning> {
  const find = (table: Named, condition: SQL | undefined) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.integratorId, integratorId), condition));
  const findFew = (table: Named, condition: SQL | undefined) =>
    find(table, condition).limit(NAMED_MAX + 1);
  const [actions, people, keys, ...named] = await pipeline([
    findActions(db, word, titles),
    find(staff, isCalled(word, sql`${staff.firstName} || ' ' || ${staff.lastName}`)),
    find(apiKeys, isCalled(word, apiKeys.name)),
    ...(isListed ? [findFew(cards, isCard(word)), findFew(cardholders, isCardholder(word))] : []),
  ]);
  const listed = named.filter(({ length }) => length <= NAMED_MAX);
  return {
    actions,
    staffIds: toIds(people),
    keyIds: toIds(keys),
    recordIds: toIds([people, keys, ...listed].flat()),
    ...(listed.length < 2 && { name: word }),
  };
}

type Named = typeof staff | typeof apiKeys | typeof cards | typeof cardholders;

function toIds(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** Finds actions whose titles have a word that starts with this one: "frozen" does not find "unfrozen". */
async function findActions(
  db: ReadContext["db"],
  word: string,
  titles: AuditSearch["titles"],
): Promise<string[]> {
  const ids = sql.param(titles.map(({ id }) => id));
  const names = sql.param(titles.map(({ name }) => name));
  const rows = await db.execute<{ id: string }>(sql`
    select title.id from unnest(${ids}::text[], ${names}::text[]) as title (id, name)
    where ${matchWordStart(sql`title.name`, word)}`);
  return toIds(rows);
}

function isCalled(word: string, name: AnyPgColumn | SQL): SQL | undefined {
  return matchWords(word, (_, isIn) => isIn(name));
}

function isCard(word: string): SQL | undefined {
  return matchWords(word, matchCard);
}

function isCardholder(word: string): SQL | undefined {
  return isCalled(word, toSearchedPerson(cardholders));
}

/** Whether a record is a card or a cardholder with a name that contains the word. */
export function hasName(integratorId: string, recordId: SQL, word: string): SQL | undefined {
  // The fence (`offset 0`) keeps the planner from finding everything with that name first.
  const isRecord = (table: typeof cards | typeof cardholders) =>
    and(eq(table.integratorId, integratorId), sql`${table.id} = ${recordId}`);
  return or(
    sql`exists (select from ${cards} where ${and(isRecord(cards), isCard(word))} offset 0)`,
    sql`exists (select from ${cardholders} where ${and(isRecord(cardholders), isCardholder(word))} offset 0)`,
  );
}
