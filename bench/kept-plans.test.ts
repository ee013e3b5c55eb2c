import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFixture } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";
import { READS } from "./growth.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import { closeDatabase, configureDatabase } from "#db/client.ts";
import { readFor } from "#db/reads.ts";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import {
  countBuffers,
  dropSearchIndexes,
  switchOffAutovacuum,
} from "#test/database/table-figures.ts";

/**
 * PostgreSQL keeps one plan of a statement for all accounts, made for those that came first. A read of a large account may
 * read no more than one of a small account, whichever of them came first on the connection.
 */

const SMALL = { cards: 100, transactionsPerCard: 10 };
const LARGE = { cards: 10_000, transactionsPerCard: 4 };

/** A statement is prepared the third time it is sent (`db/prepared.ts`); PostgreSQL decides on its plan the sixth time after that. */
const KEEPING_ROUNDS = 10;
const COUNTED_ROUNDS = 3;

/** The plan of a search for text is made for that text each time (`db/prepared.ts`), so none is kept. */
const KEPT = Object.entries(READS).filter(
  ([name]) => !/^search (?:cards|transactions) by/u.test(name),
);

/** Indexes of the large account are one or two levels deeper. */
const toAllowed = (small: number) => 2 * small + 100;

let owner: postgres.Sql;
let sizes: { small: Fixture; large: Fixture };

beforeAll(async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  const database = { appUrl, ownerUrl };
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  const restore = await dropSearchIndexes(owner);
  sizes = {
    small: await createFixture({ database }, SMALL),
    large: await createFixture({ database }, LARGE),
  };
  await restore();
  await vacuumAnalyze(database);
}, 300_000);

afterAll(() => owner.end());

type Size = keyof typeof sizes;

test.each<[Size, Size]>([
  ["small", "large"],
  ["large", "small"],
])(
  "reads of the %s account first, then of the %s one: the large one reads no more",
  async (first, second) => {
    // One connection, so that all reads share its plans and its counters can be read.
    const { url } = testDatabase();
    await closeDatabase();
    configureDatabase(url, { max: 1, readsMax: 1 });
    const read = {
      [first]: await countEach(sizes[first]),
      [second]: await countEach(sizes[second]),
    };
    const excess = KEPT.map(([name]) => ({
      name,
      small: read.small?.[name] ?? 0,
      large: read.large?.[name] ?? 0,
    }))
      .filter(({ small, large }) => large > toAllowed(small))
      .map(({ name, small, large }) => `${name}: ${large} buffers instead of ${small}`);
    expect(excess).toEqual([]);
  },
  300_000,
);

/** The buffers that each kind of read takes, at best. */
async function countEach(account: Fixture): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const [name, toPath] of KEPT) {
    for (let round = 1; round <= KEEPING_ROUNDS; round += 1) {
      const before = await countRead(account);
      const { status } = await call(`GET ${toPath(account)}`, { key: account.apiKey });
      expect([name, status]).toEqual([name, 200]);
      const buffers = (await countRead(account)) - before;
      if (round > KEEPING_ROUNDS - COUNTED_ROUNDS) {
        counted[name] = Math.min(counted[name] ?? buffers, buffers);
      }
    }
  }
  return counted;
}

/** Reads have a connection of their own. */
async function countRead({ integratorId }: Fixture): Promise<number> {
  await readFor(integratorId, (db) => db.execute(sql`select pg_stat_force_next_flush()`));
  return countBuffers(owner);
}
