import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { createCardFor, newUser, pathOf, recordsOf, userIn } from "#test/scene/cardholders.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { inTransaction } from "#db/transaction.ts";

let integrator: TestIntegrator;

beforeAll(async () => {
  integrator = await newIntegrator(1_000);
});

function ask(line: string, body?: unknown): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body });
}

describe("archiving", () => {
  test("a cardholder is archived, gets no card, and gets one again once unarchived; each is recorded once", async () => {
    const user = await newUser(integrator);
    const archived = await ask(`POST ${pathOf(user)}/archive`);
    expect(archived).toMatchObject({
      status: 200,
      json: { data: { id: user.id, archived: true } },
    });
    expect((await ask(`POST ${pathOf(user)}/archive`)).text).toBe(archived.text);
    expect(await createCardFor(integrator, user)).toMatchObject({
      status: 409,
      json: { code: "user_archived" },
    });
    const back = await ask(`POST ${pathOf(user)}/unarchive`);
    expect(back).toMatchObject({ status: 200, json: { data: { archived: false } } });
    expect((await ask(`POST ${pathOf(user)}/unarchive`)).text).toBe(back.text);
    expect(await createCardFor(integrator, user)).toMatchObject({ status: 201 });
    const records = await recordsOf(integrator, user);
    expect(records.events.map(({ event }) => event)).toEqual(["user.archived", "user.unarchived"]);
    expect(records.audit).toEqual([
      { action: "cardholder.archived", before: { archived: false }, after: { archived: true } },
      { action: "cardholder.unarchived", before: { archived: true }, after: { archived: false } },
    ]);
  });

  test.each(["active", "frozen"])(
    "is refused while a card is %s, until it is closed",
    async (status) => {
      const user = await newUser(integrator);
      const { data: card } = (await createCardFor(integrator, user)).json as {
        data: { id: string };
      };
      if (status === "frozen") {
        await ask(`PATCH /cards/${card.id}/freeze`);
      }
      const refused = await ask(`POST ${pathOf(user)}/archive`);
      expect(refused).toMatchObject({
        status: 409,
        json: {
          code: "user_has_cards",
          detail: "This cardholder has cards that are not closed. Close them first.",
        },
      });
      expect((await recordsOf(integrator, user)).audit).toEqual([]);
      await ask(`POST /cards/${card.id}/close`);
      expect(await ask(`POST ${pathOf(user)}/archive`)).toMatchObject({ status: 200 });
    },
  );

  test("an archived cardholder can still be corrected", async () => {
    const user = await newUser(integrator);
    await ask(`POST ${pathOf(user)}/archive`);
    const reply = await ask(`PATCH ${pathOf(user)}`, { phone_number: "+2" });
    expect(reply).toMatchObject({
      status: 200,
      json: { data: { phone_number: "+2", archived: true } },
    });
  });

  test("a card being created keeps its cardholder from being archived, and the other way round", async () => {
    const user = await newUser(integrator);
    const { db } = testDatabase();
    const held = (lock: ReturnType<typeof sql>, work: () => Promise<ApiReply>) =>
      inTransaction(db, async (tx) => {
        await tx.execute(sql`
          select from cardholders where integrator_id = ${integrator.id} and id = ${user.id} for ${lock}`);
        const reply = work();
        await waitForLockWait();
        return { reply };
      });
    // What creation holds, and what archiving holds.
    const archive = await held(sql`share`, () => ask(`POST ${pathOf(user)}/archive`));
    expect(await archive.reply).toMatchObject({ status: 200 });
    await ask(`POST ${pathOf(user)}/unarchive`);
    const create = await held(sql`no key update`, () => createCardFor(integrator, user));
    expect(await create.reply).toMatchObject({ status: 201 });
  });

  test("of a card's creation and the archiving of its cardholder at the same time, exactly one succeeds", async () => {
    for (let round = 0; round < 10; round += 1) {
      const user = await newUser(integrator);
      const acts = [
        () => createCardFor(integrator, user),
        () => ask(`POST ${pathOf(user)}/archive`),
      ];
      const replies = await Promise.all(
        (round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()),
      );
      const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses[0]).toBeLessThan(300);
      expect(statuses[1]).toBe(409);
      const [now, listed] = [
        await ask(`GET ${pathOf(user)}`),
        await ask(`GET /cards?user_id=${user.id}`),
      ];
      expect((listed.json as object[]).length).toBe(userIn(now).archived ? 0 : 1);
    }
  });
});

async function waitForLockWait(): Promise<void> {
  await expect
    .poll(async () => {
      const rows = await testDatabase().db.execute(sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
      return rows.length;
    })
    .toBeGreaterThan(0);
}
