import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { sealAgain, SEALED_PREFIX, toSecretChecks } from "#lib/base/seal.ts";
import type { Purpose } from "#lib/base/seal.ts";
import { describeProcesses, findRunning } from "#lib/operator/processes.ts";
import { installation } from "#db/schema/staff.ts";
import { inTransaction, markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** What `rotateSecret` has done, and what is left to do. */
export interface Rotation {
  /** How many values were sealed anew, by what they are. */
  sealed: Readonly<Record<string, number>>;
  /** How many values none of the listed secrets opens. */
  unreadable: number;
  /** The running processes that still seal with another secret, such as "1 running server"; null when there are none. */
  waitingFor: string | null;
}

/** A column of sealed values. */
interface SealedColumn {
  what: string;
  table: string;
  column: string;
  /** The primary key, with its types. */
  key: readonly (readonly [name: string, type: "uuid" | "text"])[];
  /** Which part of the key the values are bound to. */
  owner: number;
  purpose: Purpose;
  /** What precedes the sealed text. */
  prefix: string;
}

const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    what: "webhook signing secrets",
    table: "webhook_endpoints",
    column: "secret",
    key: [["id", "uuid"]],
    owner: 0,
    purpose: "signing secret",
    prefix: "",
  },
  {
    what: "webhook headers",
    table: "webhook_endpoints",
    column: "headers",
    key: [["id", "uuid"]],
    owner: 0,
    purpose: "webhook headers",
    prefix: "",
  },
  {
    what: "webhook signing secrets",
    table: "webhook_previous_secrets",
    column: "secret",
    key: [
      ["endpoint_id", "uuid"],
      ["id", "uuid"],
    ],
    owner: 0,
    purpose: "signing secret",
    prefix: "",
  },
  {
    what: "second factors",
    table: "staff",
    column: "totp_secret",
    key: [
      ["integrator_id", "uuid"],
      ["id", "uuid"],
    ],
    owner: 1,
    purpose: "second factor",
    prefix: "",
  },
  {
    what: "messages",
    table: "messages",
    column: "content",
    key: [
      ["integrator_id", "uuid"],
      ["id", "uuid"],
    ],
    owner: 1,
    purpose: "message",
    prefix: "",
  },
  {
    what: "stored responses",
    table: "idempotent_requests",
    column: "body",
    key: [
      ["integrator_id", "uuid"],
      ["key", "text"],
    ],
    owner: 0,
    purpose: "kept answer",
    prefix: SEALED_PREFIX,
  },
];

/** How many rows are read at a time. */
const CHUNK_ROWS = 2_000;

/**
 * Reseals everything that an older secret of this process's list has sealed. Then it retires the older secrets, so that
 * processes may start without them. It is safe beside running processes, and can be interrupted and repeated: values
 * that the first secret opens stay as they are. While another process seals with an older secret, nothing is retired.
 */
export async function rotateSecret(db: Db): Promise<Rotation> {
  const first = await sealEverything(db);
  const sealers = await inTransaction(db, retireOthers);
  if (sealers.length > 0) {
    return { ...first, waitingFor: describeProcesses(sealers) };
  }
  // A process that has ended meanwhile may have sealed something after the first pass.
  const second = await sealEverything(db);
  const sealed = { ...first.sealed };
  for (const [what, count] of Object.entries(second.sealed)) {
    sealed[what] = (sealed[what] ?? 0) + count;
  }
  return { sealed, unreadable: second.unreadable, waitingFor: null };
}

async function findOtherSealers(db: Tx) {
  const [own] = toSecretChecks();
  return (await findRunning(db)).filter(({ secretChecks: [seals] }) => seals !== own);
}

/**
 * Only this process's first secret is needed from now on, unless a running process seals with another one. The lock keeps
 * processes from joining meanwhile.
 * @returns those processes.
 */
async function retireOthers(tx: Tx): Promise<Awaited<ReturnType<typeof findOtherSealers>>> {
  const [own] = toSecretChecks();
  const [stored] = await tx.select().from(installation).for("update");
  const sealers = await findOtherSealers(tx);
  if (stored && sealers.length === 0) {
    // A process that joins right after the commit may change this again; repeating the work is harmless.
    markCommit(tx, sql`exists (select from installation where secret_check = ${own})`);
    await tx
      .update(installation)
      .set({ secretCheck: own, earlierSecretChecks: [] })
      .where(eq(installation.id, stored.id));
  }
  return sealers;
}

async function sealEverything(db: Db): Promise<Pick<Rotation, "sealed" | "unreadable">> {
  const sealed: Record<string, number> = {};
  let unreadable = 0;
  for (const column of SEALED_COLUMNS) {
    const result = await sealColumn(db, column);
    sealed[column.what] = (sealed[column.what] ?? 0) + result.sealed;
    unreadable += result.unreadable;
  }
  return { sealed, unreadable };
}

/** A row's key, and its value; null when there is nothing sealed in it. */
type SealedRow = { key: string[]; value: string | null };

async function sealColumn(
  db: Db,
  column: SealedColumn,
): Promise<{ sealed: number; unreadable: number }> {
  let sealed = 0;
  let unreadable = 0;
  let after: string[] | undefined;
  do {
    const rows = await readChunk(db, column, after);
    for (const { key, value } of rows) {
      const fresh = value === null ? null : sealValue(column, key, value);
      unreadable += fresh === undefined ? 1 : 0;
      if (fresh && (await replaceValue(db, column, { key, value, fresh }))) {
        sealed += 1;
      }
    }
    after = rows.length === CHUNK_ROWS ? rows.at(-1)?.key : undefined;
  } while (after !== undefined);
  return { sealed, unreadable };
}

/** Returns the next rows of the table in the order of its key. The values may change after they are read. */
function readChunk(
  db: Db,
  column: SealedColumn,
  after: string[] | undefined,
): Promise<SealedRow[]> {
  const { table, prefix } = column;
  const keys = toKeys(column);
  const texts = sql.join(
    column.key.map(([name]) => sql`${sql.identifier(name)}::text`),
    sql`, `,
  );
  const value = sql.identifier(column.column);
  return db.execute<SealedRow>(sql`
    select array[${texts}] as key, case when starts_with(${value}, ${prefix}) then ${value} end as value
    from ${sql.identifier(table)}
    where ${after === undefined ? sql`true` : sql`(${keys}) > (${toValues(column, after)})`}
    order by ${keys} limit ${CHUNK_ROWS}`);
}

/** @returns null when the value is sealed with the first secret, undefined when no secret opens it. */
function sealValue(
  { owner, purpose, prefix }: SealedColumn,
  key: readonly string[],
  value: string,
): string | null | undefined {
  try {
    const fresh = sealAgain(value.slice(prefix.length), purpose, key[owner] ?? "");
    return fresh === null ? null : `${prefix}${fresh}`;
  } catch {
    return undefined;
  }
}

/** Replaces one value, unless it has changed since it was read. @returns whether it was replaced. */
async function replaceValue(
  db: Db,
  column: SealedColumn,
  { key, value, fresh }: { key: string[]; value: string | null; fresh: string },
): Promise<boolean> {
  const name = sql.identifier(column.column);
  const replaced = await db.execute(sql`
    update ${sql.identifier(column.table)} set ${name} = ${fresh}
    where (${toKeys(column)}) = (${toValues(column, key)}) and ${name} = ${value} returning 1`);
  return replaced.length > 0;
}

function toKeys({ key }: SealedColumn): SQL {
  return sql.join(
    key.map(([name]) => sql.identifier(name)),
    sql`, `,
  );
}

function toValues({ key }: SealedColumn, values: readonly string[]): SQL {
  return sql.join(
    key.map(([, type], place) => sql`${values[place]}::${sql.raw(type)}`),
    sql`, `,
  );
}
