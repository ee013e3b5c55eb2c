import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { freezeCard, newCard, newIntegrator, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";

/** An attacker with SQL access, as the owner of the tables. */
let owner: postgres.Sql;
let integrator: TestIntegrator;
let cardId: string;

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  integrator = await newIntegrator();
  cardId = (await newCard(integrator)).id;
});

afterAll(() => owner.end());

/** Runs a statement in a transaction and commits it, so that deferred checks run too. */
async function attack(statement: string): Promise<string> {
  try {
    await owner.begin((sql) => sql.unsafe(statement));
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("the database refuses, when asked directly", () => {
  const A_FREEZE = `{"frozen_at": "2026-01-01T00:00:00.000Z", "until": null, "reason": null, "reasons": [], "comment": null, "actor": {}}`;

  test.each([
    ["none, but not null", "'{}'", /cards_freeze_levels/u],
    ["an unknown level", `'{"mine": ${A_FREEZE}}'`, /cards_freeze_levels/u],
    [
      "a freeze without its time",
      `'{"staff": {"actor": {}, "reason": null}}'`,
      /cards_freeze_whole/u,
    ],
    [
      "an unknown reason",
      `'{"staff": ${A_FREEZE.replace('"reason": null', '"reason": "mood"')}}'`,
      /cards_freeze_whole/u,
    ],
    [
      "the reason other without a comment",
      `'{"staff": ${A_FREEZE.replace('"reason": null', '"reason": "other"')}}'`,
      /cards_freeze_whole/u,
    ],
    ["a freeze of an active card", `'{"staff": ${A_FREEZE}}'`, /cards_freezes_account/u],
  ])("as freezes of a card: %s", async (_, freezes, message) => {
    const { id } = await newCard(integrator);
    expect(await attack(`update cards set freezes = ${freezes} where id = '${id}'`)).toMatch(
      message,
    );
  });

  test("a frozen card without a freeze, and an end of one that the other half of the card does not know", async () => {
    const { id } = await newCard(integrator);
    await write(integrator, (ctx) =>
      freezeCard(ctx, id, { reason: null, until: new Date(Date.now() + 86_400_000) }),
    );
    for (const attempt of [
      "update cards set freezes = null",
      `update cards set freezes = jsonb_set(freezes, '{cardholder,until}', 'null')`,
      "update ledger_accounts set freeze_due_at = null",
      "update ledger_accounts set freeze_due_at = freeze_due_at + interval '1 second'",
    ]) {
      expect(await attack(`${attempt} where id = '${id}'`)).toMatch(/cards_freezes_account/u);
    }
    const active = await newCard(integrator);
    expect(
      await attack(`update ledger_accounts set freeze_due_at = now() where id = '${active.id}'`),
    ).toMatch(/ledger_accounts_freeze_due/u);
  });

  test.each([
    ["'active', 'active', 'staff'", /card_state_changes_freeze/u],
    ["'active', 'frozen', null", /card_state_changes_freeze/u],
    ["'frozen', 'closed', 'staff'", /card_state_changes_freeze/u],
    ["'active', 'frozen', 'mine'", /card_state_changes_level/u],
  ])("a change in a card's history that is none: %s", async (values, message) => {
    expect(
      await attack(`
          insert into card_state_changes (integrator_id, id, card_id, from_status, to_status, level, actor, request_id)
          values ('${integrator.id}', gen_random_uuid(), '${cardId}', ${values}, '{}', 'attack')`),
    ).toMatch(message);
  });
});
