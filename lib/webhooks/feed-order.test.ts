import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import type { Database, Db } from "#db/client.ts";
import { testDatabase } from "#test/database/database.ts";
import {
  freezeCard,
  newCard,
  newIntegrator,
  newOrigin,
  reading,
  unfreezeCard,
  untilInTime,
  write,
} from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { inTransaction } from "#db/transaction.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { updateCard } from "#lib/cards/card-update.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { listEvents } from "#lib/webhooks/event-reads.ts";

const CHANGES = 400;
const WRITERS = 4;

/** The connections of another server on the same database. */
let other: Database;

beforeAll(() => {
  other = openDatabase(testDatabase().url, { max: WRITERS });
});

afterAll(() => other.close());

interface Listed {
  subject: { id: string };
  sequence: number;
}

/** Reads the feed from a cursor to the end of what is listed now. */
async function follow(
  integrator: TestIntegrator,
  from?: string,
): Promise<{ events: Listed[]; cursor: string | undefined }> {
  const events: Listed[] = [];
  let cursor = from;
  for (;;) {
    const page = await listEvents(reading(integrator), { limit: 7, after: cursor });
    cursor = page.nextCursor ?? undefined;
    if (page.rows.length === 0) {
      return { events, cursor };
    }
    events.push(...page.rows.map(({ body }): Listed => JSON.parse(body)));
  }
}

/** A card's sequence numbers in the order of the feed, as a reader sees them that follows until it has seen this many. */
async function followCard(
  integrator: TestIntegrator,
  cardId: string,
  count: number,
): Promise<number[]> {
  const seen: number[] = [];
  let cursor: string | undefined;
  while (seen.length < count) {
    const page = await follow(integrator, cursor);
    const own = page.events.filter(({ subject }) => subject.id === cardId);
    seen.push(...own.map(({ sequence }) => sequence));
    ({ cursor } = page);
  }
  return seen;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

const REASON = { reason: "lost", comment: null } as const;

test("a change that began before another one of its card, and was made after it, is listed after it", async () => {
  const integrator = await newIntegrator();
  const { id } = await newCard(integrator);
  await write(integrator, async (older) => {
    await older.tx.execute(sql`select pg_current_xact_id()`);
    await write(integrator, (ctx) => freezeCard(ctx, id, REASON));
    await unfreezeCard(older, id, { comment: null });
  });
  expect(await followCard(integrator, id, 3)).toEqual([1, 2, 3]);
});

test("a change that held the lock of one card while another card changed is listed after that change", async () => {
  const integrator = await newIntegrator();
  const first = await newCard(integrator);
  const second = await newCard(integrator);
  await write(integrator, async (older) => {
    await freezeCard(older, first.id, REASON);
    await write(integrator, (ctx) => freezeCard(ctx, second.id, REASON));
    await unfreezeCard(older, second.id, { comment: null });
  });
  expect(await followCard(integrator, second.id, 3)).toEqual([1, 2, 3]);
});

test("two servers change one card 400 times: a reader sees every event once, in the order of its sequence", async () => {
  const integrator = await newIntegrator(CHANGES);
  const { id } = await newCard(integrator);
  let left = CHANGES;
  const change = (ctx: WriteContext, turn: number): Promise<unknown> =>
    turn % 2 === 0
      ? updateCard(ctx, id, { metadata: { turn: String(turn) } })
      : performOne(ctx.tx, moveFunds, {
          ...ctx,
          kind: "credit",
          cardId: id,
          amount: 1,
          idempotencyKey: null,
        });
  const keepChanging = async (db: Db) => {
    while (left > 0) {
      left -= 1;
      const turn = left;
      await untilInTime(() =>
        inTransaction(db, (tx) =>
          change({ tx, actor: integrator.actor, request: newOrigin() }, turn),
        ),
      );
    }
  };
  const writers = [testDatabase().db, other.db].flatMap((db) =>
    Array.from({ length: WRITERS / 2 }, () => keepChanging(db)),
  );
  const [seen] = await Promise.all([followCard(integrator, id, CHANGES + 1), ...writers]);
  expect(seen).toEqual(upTo(CHANGES + 1));
});
