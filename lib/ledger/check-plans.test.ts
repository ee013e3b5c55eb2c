import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import { findDiscrepanciesEverywhere, verifyBooks } from "#lib/ledger/verify.ts";
import type { Discrepancy } from "#lib/ledger/verify.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { watchStatements } from "#db/statements.ts";
import { inLongTransaction } from "#db/long-transactions.ts";
import { testDatabase } from "#test/database/database.ts";
import {
  countBuffers,
  dropSearchIndexes,
  switchOffAutovacuum,
} from "#test/database/table-figures.ts";

/**
 * A check of the books costs as much for each transfer on a database that was never analyzed, and holds no snapshot for
 * longer than a part of it takes.
 */

/** Many cards: a plan that reads all entries for each of them takes minutes. */
const SCALE = { cards: 10_000, transactionsPerCard: 3 };
const TRANSFERS = SCALE.cards * SCALE.transactionsPerCard;
/** Twelve rules look up two entries of each transfer, three to four buffers deep. */
const BUFFERS_PER_TRANSFER_MAX = 60;
/** Three windows, the last of which is not full. */
const WINDOW_TRANSFERS = 12_500;

let owner: postgres.Sql;

beforeAll(async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  await dropSearchIndexes(owner);
  const { integratorId } = await createScaledBooks({ appUrl, ownerUrl }, SCALE, {
    unguarded: true,
  });
  // As if batches of three hundred had made them, earlier than anything else.
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update transfers set xid = (3 + substr(idempotency_key, length('scale ') + 1)::int / 300)::text::xid8
      where integrator_id = ${integratorId} and idempotency_key is not null`;
  });
  // One connection, so that its counters can be read.
  await closeDatabase();
  configureDatabase(appUrl, { max: 1 });
}, 300_000);

afterAll(async () => {
  await owner`analyze`;
  await owner.end();
});

test("a check reads a bounded number of buffers for each transfer, although no table was ever analyzed", async () => {
  const before = await countBuffers(owner);
  expect(await verifyBooks(database())).toEqual([]);
  expect((await countBuffers(owner)) - before).toBeLessThan(TRANSFERS * BUFFERS_PER_TRANSFER_MAX);
});

async function checkInWindows(): Promise<Discrepancy[]> {
  const { discrepancies } = await inLongTransaction(database(), (tx) =>
    findDiscrepanciesEverywhere(tx, WINDOW_TRANSFERS),
  );
  return discrepancies;
}

test("a check looks at the transfers of every window, and at the first and the last of them", async () => {
  const keys = [1, TRANSFERS / 2, TRANSFERS].map((n) => `scale ${n}`);
  const transfers = await owner<{ id: string }[]>`
    select id from transfers where idempotency_key = any(${keys})`;
  const ids = transfers.map(({ id }) => id);
  await addToAmounts(ids, 1);
  const found = await checkInWindows();
  await addToAmounts(ids, -1);
  expect(ids).toHaveLength(keys.length);
  expect(found.map(({ about }) => about).toSorted()).toEqual(ids.toSorted());
});

/** Changes transactions as no client can: as the owner, without triggers. */
async function addToAmounts(transferIds: readonly string[], by: number): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update transactions set amount = amount + ${by} where transfer_id = any(${transferIds})`;
  });
}

test("each statement of a check looks at its own state, and at a part of the transfers", async () => {
  const sent: string[] = [];
  watchStatements((text) => {
    sent.push(text);
    return undefined;
  });
  try {
    await checkInWindows();
  } finally {
    watchStatements(undefined);
  }
  // The transaction and its settings; the horizon and three windows; four rules for transfers in each; twenty others.
  expect(sent).toHaveLength(2 + 4 + 4 * 3 + 20);
  expect(await readHorizons(2)).toHaveLength(2);
});

/** The different horizons of statements in a transaction as a check has it, each sent after another transaction. */
async function readHorizons(statements: number): Promise<string[]> {
  const horizons = new Set<string>();
  await inLongTransaction(database(), async (tx) => {
    for (let sent = 0; sent < statements; sent += 1) {
      await owner`select pg_current_xact_id()`;
      const [row] = await tx.execute<{ horizon: string }>(
        sql`select pg_snapshot_xmax(pg_current_snapshot())::text as horizon`,
      );
      horizons.add(row?.horizon ?? "none");
    }
  });
  return [...horizons];
}
