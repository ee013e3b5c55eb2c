import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "#test/database/database.ts";
import { openDatabase } from "./client.ts";
import type { Database } from "./client.ts";
import { insertRows } from "./insert-rows.ts";

interface Row {
  id: string;
  at: Date | null;
  json: { quoted: string; list: unknown[] } | null;
  is: boolean | null;
  amount: number;
}

/** The server's role may create no tables. */
let owner: Database;

beforeAll(() => {
  owner = openDatabase(testDatabase().ownerUrl, { max: 1 });
});

afterAll(() => owner.close());

const COLUMNS = {
  id: ["uuid", ({ id }: Row) => id],
  at: ["timestamptz", ({ at }: Row) => at],
  json: ["jsonb", ({ json }: Row) => json],
  flag: ["boolean", ({ is }: Row) => is],
  amount: ["bigint", ({ amount }: Row) => amount],
} as const;

test("values of every type arrive as they are, nulls too, in one statement whatever the number of rows", async () => {
  const rows: Row[] = [
    {
      id: "018f0000-0000-7000-8000-000000000001",
      at: new Date("2026-03-29T01:59:59.999Z"),
      json: { quoted: 'a "b", {c}', list: [1, null] },
      is: false,
      amount: 9_007_199_254_740_991,
    },
    {
      id: "018f0000-0000-7000-8000-000000000002",
      at: null,
      json: null,
      is: null,
      amount: -1,
    },
  ];
  const kept = await owner.db.transaction(async (tx) => {
    await tx.execute(
      sql`create temporary table inserted (id uuid, at timestamptz, json jsonb, flag boolean, amount bigint) on commit drop`,
    );
    return tx.execute(
      sql`${insertRows("inserted", rows, COLUMNS)} returning id, at, json, flag as is, amount`,
    );
  });
  expect(kept).toMatchObject(rows.map(({ at: _at, ...row }) => row));
  expect(kept[1]?.["at"]).toBeNull();
  expect(new Date(z.string().parse(kept[0]?.["at"]))).toEqual(rows[0]?.at);
});

test("a column that is null in every row is not part of the statement", async () => {
  const id = "018f0000-0000-7000-8000-000000000003";
  const rows: Row[] = [{ id, at: null, json: null, is: null, amount: 1 }];
  const kept = await owner.db.transaction(async (tx) => {
    await tx.execute(sql`create temporary table narrow (id uuid, amount bigint) on commit drop`);
    return tx.execute(sql`${insertRows("narrow", rows, COLUMNS)} returning id`);
  });
  expect(kept).toMatchObject([{ id }]);
});
