import { and, eq } from "drizzle-orm";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import {
  freezeCard,
  move,
  newCard,
  newIntegrator,
  reading,
  unfreezeCard,
  untilInTime,
  write,
} from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { listCardActivity } from "#lib/transactions/card-activity.ts";
import { countCards, getCard, listCards } from "#lib/cards/card-reads.ts";
import type { CardFilter } from "#lib/cards/card-filter.ts";
import { FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { events } from "#db/schema/events.ts";
import { cardStateChanges } from "#db/schema/cards.ts";

function eventsOf({ id }: TestIntegrator, subjectId: string) {
  return readRecorded(and(eq(events.integratorId, id), eq(events.subjectId, subjectId)));
}

describe("freezing", () => {
  test("fifty concurrent freezes with two reasons leave one freeze, one amendment, and the graver reason", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        untilInTime(() =>
          write(integrator, (ctx) =>
            freezeCard(ctx, card.id, {
              reason: index % 2 ? "lost" : "stolen",
              comment: `${index}`,
            }),
          ),
        ),
      ),
    );
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      freeze: { reason: "stolen" },
      statusVersion: 3,
    });
    const names = (await eventsOf(integrator, card.id)).map(({ event }) => event);
    expect(names).toEqual(["card.created", "card.frozen", "card.frozen"]);
    const history = await testDatabase()
      .db.select()
      .from(cardStateChanges)
      .where(eq(cardStateChanges.cardId, card.id));
    expect(history).toHaveLength(3);
  });

  test("a freeze records who, why, and when; unfreezing clears it and keeps the history", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    const frozen = await write(integrator, (ctx) =>
      freezeCard(ctx, card.id, { reason: "other", comment: "Travel" }),
    );
    expect(frozen).toMatchObject({
      status: "frozen",
      freeze: { reason: "other", comment: "Travel", actor: integrator.actor.ref },
    });
    const active = await write(integrator, (ctx) =>
      unfreezeCard(ctx, card.id, { comment: "Back" }),
    );
    expect(active).toMatchObject({ status: "active", freeze: null });
    const { rows } = await listCardActivity(reading(integrator), card.id, { limit: 10 });
    expect(rows[1]?.createdAt).toEqual(frozen.freeze?.frozenAt);
    expect(
      rows.map((row) => (row.type === "state_change" ? row.stateChange.to : row.type)),
    ).toEqual(["active", "frozen", "active"]);
  });

  test("a freeze accepts and stores every reason", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    const stored: (string | null | undefined)[] = [];
    for (const reason of FREEZE_REASONS) {
      const frozen = await write(integrator, (ctx) =>
        freezeCard(ctx, card.id, { reason, comment: "Said" }),
      );
      stored.push(frozen.freeze?.reason);
      await write(integrator, (ctx) => unfreezeCard(ctx, card.id, { comment: null }));
    }
    expect(stored).toEqual([...FREEZE_REASONS]);
  });

  test("freezes that race unfreezes and a close end closed, with gapless event numbers", async () => {
    const integrator = await newIntegrator(500);
    const card = await newCard(integrator, 500);
    const acts = Array.from({ length: 30 }, (_, index) =>
      write(integrator, (ctx) =>
        index % 2
          ? freezeCard(ctx, card.id, { reason: null, comment: null })
          : unfreezeCard(ctx, card.id, { comment: null }),
      ).catch(() => undefined),
    );
    await Promise.all([
      ...acts,
      write(integrator, (ctx) => closeCard(ctx, card.id, { comment: null })),
    ]);
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      status: "closed",
      balance: 0,
    });
    const sequences = (await eventsOf(integrator, card.id)).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });

  test("a closed card cannot be frozen, unfrozen, or closed again", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    await write(integrator, (ctx) => closeCard(ctx, card.id, { comment: null }));
    const refused = { code: "card_closed" };
    const acts = [
      () => write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: null, comment: null })),
      () => write(integrator, (ctx) => unfreezeCard(ctx, card.id, { comment: null })),
      () => write(integrator, (ctx) => closeCard(ctx, card.id, { comment: null })),
    ];
    for (const act of acts) {
      await expect(act()).rejects.toMatchObject(refused);
    }
  });
});

describe("events", () => {
  test("a rolled-back change records nothing", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    const attempt = write(integrator, async (ctx) => {
      await freezeCard(ctx, card.id, { reason: null, comment: null });
      throw new Error("changed my mind");
    });
    await expect(attempt).rejects.toThrow("changed my mind");
    expect((await eventsOf(integrator, card.id)).map(({ event }) => event)).toEqual([
      "card.created",
    ]);
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ status: "active" });
  });

  test("a fund movement's event contains the transaction, the amounts, and both balances", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    await move(integrator, { kind: "credit", cardId: card.id, amount: 40 });
    const last = (await eventsOf(integrator, card.id)).at(-1);
    expect(last).toMatchObject({
      event: "card.credited",
      sequence: 2,
      subject: { type: "card", id: card.id },
      integrator_id: integrator.id,
      data: { card_id: card.id, amount: 40, card_balance_after: 40, float_balance_after: 60 },
      checksum: expect.stringMatching(/^[0-9A-F]{64}$/u),
    });
  });
});

describe("finding cards", () => {
  test("matches the last four digits, part of the name, and the id, but never another integrator's cards", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    await newCard(await newIntegrator());
    const find = async (search: string) =>
      (await listCards(reading(integrator), { search, limit: 10 })).rows.map(({ id }) => id);
    expect(await find(card.last4)).toEqual([card.id]);
    expect(await find("lin os")).toEqual([card.id]);
    expect(await find(card.id)).toEqual([card.id]);
    expect(await find("%")).toEqual([]);
  });

  test("by several statuses, pages through exactly the cards that have one of them, from either end", async () => {
    const integrator = await newIntegrator();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      made.push((await newCard(integrator)).id);
    }
    const [first = "", , third = ""] = made;
    for (const id of [first, third]) {
      await write(integrator, (ctx) => freezeCard(ctx, id, { reason: null, comment: null }));
    }
    const find = async (filter: Omit<CardFilter, "limit">) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listCards(reading(integrator), { ...filter, limit: 2, cursor });
        seen.push(...page.rows.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return seen;
    };
    const both = { statuses: ["frozen", "active"] } as const;
    expect(await find({ ...both, order: "oldest" })).toEqual(made);
    expect(await find(both)).toEqual(made.toReversed());
    expect(await find({ statuses: ["frozen", "closed"] })).toEqual([third, first]);
    expect(await find({ statuses: ["frozen", "closed"], search: "lin os" })).toEqual([
      third,
      first,
    ]);
    const counted = await countCards(reading(integrator), {
      statuses: ["frozen", "closed"],
      limit: 2,
    });
    expect(counted).toEqual({ rows: 2, isExact: true });
    const paged = await listCards(reading(integrator), { ...both, limit: 2, page: 2 });
    expect(paged.rows.map(({ id }) => id)).toEqual(made.toReversed().slice(2, 4));
  });

  test("pages through every card once, from either end", async () => {
    const integrator = await newIntegrator();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      made.push((await newCard(integrator)).id);
    }
    for (const [order, expected] of [
      ["oldest", made],
      ["newest", made.toReversed()],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listCards(reading(integrator), { order, limit: 2, cursor });
        const left = await countCards(reading(integrator), { order, limit: 2, cursor });
        expect(left).toEqual({ rows: made.length - seen.length, isExact: true });
        seen.push(...page.rows.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(expected);
    }
  });
});
