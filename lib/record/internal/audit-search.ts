import { and, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { ReadContext } from "#lib/base/context.ts";
import { hasName } from "#lib/record/internal/audit-meanings.ts";
import type { Meaning } from "#lib/record/internal/audit-meanings.ts";
import { SOURCES } from "#lib/record/internal/audit-sources.ts";
import type { Branch, Source } from "#lib/record/internal/audit-sources.ts";
import { pipeline } from "#db/pipeline.ts";

/** What to find. */
interface Wanted {
  meanings: readonly Meaning[];
  /** The condition of the period and the cursor on an id. */
  toRange: (id: AnyPgColumn) => SQL | undefined;
  limit: number;
  /** How many rows of each source to look at. */
  searchedMax: number;
}

/** What was found. */
interface Found {
  /** The newest entries. */
  ids: string[];
  /** The last row that was looked at; null if there are no more. */
  end: string | null;
}

/** Finds the newest entries with all of these meanings. The search is bounded: it may end before it finds them all. */
export async function findEntries(ctx: ReadContext, wanted: Wanted): Promise<Found> {
  const [, found] = await pipeline([
    allowSorting(ctx, "off"),
    pipeline(SOURCES.map((source) => findIn(ctx, source, wanted))),
    allowSorting(ctx, "on"),
  ]);
  const ends = found.flatMap(({ end }) => end ?? []);
  const end = ends.toSorted().at(-1) ?? null;
  const ids = found.flatMap((each) => each.ids).filter((id) => end === null || id >= end);
  return { ids, end };
}

/** Where the planner expects few rows of a key, it would sort all of them to find the newest ones. */
async function allowSorting({ db }: ReadContext, setting: "on" | "off"): Promise<void> {
  await db.execute(sql`select set_config('enable_sort', ${setting}, true)`);
}

/** Reads the newest rows of the rarest meaning, and stops at the point where the first of its branches was cut off. */
async function findIn(
  { db, actor: { integratorId } }: ReadContext,
  source: Source,
  { meanings, toRange, limit, searchedMax }: Wanted,
): Promise<Found> {
  const branches = toRarest(meanings.map(source.toBranches));
  const keys = branches.reduce((sum, branch) => sum + branch.keys.length, 0);
  if (keys === 0) {
    return { ids: [], end: null };
  }
  const looks = branches.map(({ keys: values, isExact, on }) => {
    const rowsMax = isExact && meanings.length === 1 ? limit : Math.ceil(searchedMax / keys);
    return sql`
      select entry.*, row_number() over (partition by key.value order by entry.id desc) = ${rowsMax} as is_last
      from unnest(${sql.param(values)}::text[]) as key (value)
      cross join lateral (
        ${source.rows} where integrator_id = ${integratorId} and ${and(on, toRange(source.id))}
        order by id desc limit ${rowsMax}
      ) as entry`;
  });
  const [found] = await db.execute<{ ids: string; end: string | null }>(sql`
    with entry as materialized (${sql.join(looks, sql` union all `)})
    select searched.end, array_to_string(array(
      select distinct id from entry
      where ${and(
        sql`action is not null and (searched.end is null or id >= searched.end::uuid)`,
        ...meanings.map((meaning) => isMeant(integratorId, meaning)),
      )}
      order by id desc limit ${limit}), ' ') as ids
    from (select max(id::text) filter (where is_last) as "end" from entry) as searched`);
  return { ids: found?.ids.split(" ").filter(Boolean) ?? [], end: found?.end ?? null };
}

function toRarest(all: readonly (readonly Branch[])[]): readonly Branch[] {
  const [rarest] = all.toSorted((a, b) => toWeight(a) - toWeight(b));
  return rarest?.filter(({ keys }) => keys.length > 0) ?? [];
}

function isMeant(integratorId: string, meaning: Meaning): SQL | undefined {
  const { actions, staffIds, keyIds, recordIds, isRefused, id, name } = meaning;
  return or(
    sql`entry.action = any(${sql.param(actions)}::text[])`,
    sql`entry.actor ->> 'id' = any(${sql.param([...staffIds, ...keyIds])}::text[])`,
    sql`entry.target_id = any(${sql.param(recordIds)}::uuid[])`,
    isRefused ? sql`entry.action like '%refused'` : undefined,
    id ? sql`entry.id = ${id} or entry.request_id = ${id}` : undefined,
    name ? hasName(integratorId, sql`entry.target_id`, name) : undefined,
  );
}

function toWeight(branches: readonly Branch[]): number {
  return branches.reduce((sum, { keys, weight }) => sum + keys.length * weight, 0);
}
