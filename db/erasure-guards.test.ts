import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, declineFor, hold } from "#test/scene/spending.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { closeCard } from "#lib/funds/close-card.ts";

/** As in guards.test.ts: an attacker who owns the tables, and what they are refused about erased cardholders. */
let owner: postgres.Sql;
let integrator: TestIntegrator;
/** Of a cardholder who is not erased, and of one who is. */
let open: Card;
let erased: Card;

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  integrator = await newIntegrator(1_000);
  open = await newCard(integrator, 100);
  erased = await newCard(integrator, 100);
  for (const { id: cardId } of [open, erased]) {
    await buy(integrator, { cardId, amount: 10, narrative: "To Lin" });
  }
  await write(integrator, (ctx) => closeCard(ctx, erased.id, { comment: null }));
  await owner`update cardholders set erased_at = now(), erasure_passes = 1 where id = ${erased.cardholderId}`;
});

afterAll(() => owner.end());

async function attack(statement: string): Promise<string> {
  try {
    const { count } = await owner.unsafe(statement);
    return `accepted ${count}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function attackHolder({ cardholderId }: Card, set: string): Promise<string> {
  return attack(`update cardholders set ${set} where id = '${cardholderId}'`);
}

const INSERT_VALUES = ({ cardholderId, integratorId }: Card) =>
  `insert into personal_values (integrator_id, record_id, cardholder_id, content)
    values ('${integratorId}', gen_random_uuid(), '${cardholderId}', '{}')`;

describe("as long as a cardholder is not erased, the database itself refuses", () => {
  test.each([
    [
      "to delete their values",
      (id: string) => `delete from personal_values where cardholder_id = '${id}'`,
    ],
    [
      "to change their values",
      (id: string) => `update personal_values set content = '{}' where cardholder_id = '${id}'`,
    ],
    ["to delete everybody's values", () => "truncate personal_values"],
  ])("%s", async (_, toStatement) => {
    expect(await attack(toStatement(open.cardholderId))).toMatch(/personal_values_kept/u);
  });

  test("values of an unknown cardholder", async () => {
    const nobody = { ...open, cardholderId: open.id };
    expect(await attack(INSERT_VALUES(nobody))).toMatch(/personal_values_cardholder/u);
  });

  test("to clear a narrative", async () => {
    expect(
      await attack(`update transactions set narrative = null where card_id = '${open.id}'`),
    ).toMatch(/transactions_identity/u);
  });

  test("an erasure while a card is open, and to count a pass before an erasure has begun", async () => {
    expect(await attackHolder(open, "erased_at = now()")).toMatch(/cardholders_erased_cards/u);
    expect(await attackHolder(open, "erasure_passes = 1")).toMatch(/cardholders_erasure/u);
  });
});

describe("once a cardholder is erased, the database itself refuses", () => {
  test.each([
    ["another name", "first_name = 'Kofi'"],
    ["another email", "email = 'lin@example.com'"],
    ["another address", `address = '{"city": "Accra"}'`],
    ["to undo the erasure", "erased_at = null, erasure_passes = 0"],
    ["to restart the erasure", "erasure_passes = 0"],
  ])("%s", async (_, set) => {
    expect(await attackHolder(erased, set)).toMatch(/cardholders_erased/u);
  });

  test("to store a value of theirs", async () => {
    expect(await attack(INSERT_VALUES(erased))).toMatch(/personal_values_erased/u);
  });

  test("to give them a card, new or somebody else's", async () => {
    expect(
      await attack(
        `update cards set cardholder_id = '${erased.cardholderId}' where id = '${open.id}'`,
      ),
    ).toMatch(/cards_erased/u);
    expect(
      await attack(`insert into cards select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
        from cards c where id = '${erased.id}'`),
    ).toMatch(/cards_erased/u);
  });

  test("to change a narrative; it may be cleared, and one that arrives later is not stored", async () => {
    const update = (narrative: string) =>
      attack(
        `update transactions set narrative = ${narrative} where card_id = '${erased.id}' and narrative is not null`,
      );
    expect(await update("'From Lin'")).toMatch(/transactions_identity/u);
    expect(await update("null")).toBe("accepted 1");
    await hold(integrator, { cardId: erased.id, amount: 1, narrative: "Of Lin" });
    await declineFor(integrator, "card_frozen", {
      cardId: erased.id,
      amount: 1,
      narrative: "By Lin",
    });
    const kept = await owner`
      select narrative from transactions where card_id = ${erased.id} and narrative is not null`;
    expect(kept).toEqual([]);
  });
});
