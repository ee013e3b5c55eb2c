import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { SPEND_MERCHANT } from "./spend.ts";

const CHARACTERS = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).slice(1);

test("a merchant's name is trimmed as JavaScript trims it", async () => {
  const names = [...CHARACTERS, "\uFEFF"].map((character) => `${character}Shop${character}`);
  const rows = await testDatabase().db.execute<{ merchant: string }>(sql`
    select ${SPEND_MERCHANT} as merchant from (
      select 'deduct' as type, jsonb_build_object('name', name) as merchant, nth
      from unnest(${sql.param(names)}::text[]) with ordinality as given (name, nth)
    ) named order by nth`);
  expect(rows.map(({ merchant }) => merchant)).toEqual(names.map((name) => name.trim()));
});
