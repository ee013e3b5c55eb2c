import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#db/testing/api-client.ts";
import type { ApiReply } from "#db/testing/api-client.ts";
import { testDatabase } from "#db/testing/database.ts";
import { newCard, newIntegrator } from "#db/testing/fixtures.ts";
import type { TestIntegrator } from "#db/testing/fixtures.ts";
import { newId } from "#lib/ids.ts";
import { BATCH_MAX, WAITING_MAX } from "#lib/ledger/lane.ts";

/** Narratives that the database itself refuses: at once, and only when the transaction commits. */
const POISON = "poison";
const LATE_POISON = "late poison";

beforeAll(async () => {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  await owner.unsafe(`
    create function refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'poisoned'; end $$;
    create trigger poison before insert on transactions
      for each row when (new.narrative = '${POISON}') execute function refuse_poison();
    create constraint trigger late_poison after insert on transactions deferrable initially deferred
      for each row when (new.narrative = '${LATE_POISON}') execute function refuse_poison();`);
  await owner.end();
});

function credit(integrator: TestIntegrator, body: unknown, key?: string): Promise<ApiReply> {
  return call("PATCH /cards/credit/balance", {
    key: integrator.apiKey,
    body,
    headers: key ? { "Idempotency-Key": key } : {},
  });
}

async function floatOf(integrator: TestIntegrator) {
  const { json } = await call("GET /card-integrators/float", { key: integrator.apiKey });
  return json;
}

/** Once its key has been looked up, requests reach the lane in the order they were sent. */
async function knowKey(integrator: TestIntegrator): Promise<void> {
  await floatOf(integrator);
}

function told({ status, json }: ApiReply): string {
  const { code = "", balance = "" } = json as { code?: string; balance?: number };
  return `${status} ${code}${balance}`;
}

/** Has every batch of this integrator wait until it is let go. */
async function holdFloat(integrator: TestIntegrator): Promise<() => void> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
  const holding = owner.begin(async (tx) => {
    await tx`select 1 from ledger_accounts
      where integrator_id = ${integrator.id} and kind = 'float' for update`;
    hold();
    await free;
  });
  void holding.finally(() => owner.end());
  await held;
  return letGo;
}

/** How many transactions of the database moved this integrator's money. */
async function countCommits(integrator: TestIntegrator): Promise<number> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const [row] = await owner`
    select count(distinct xid)::int as commits from transfers where integrator_id = ${integrator.id}`;
  await owner.end();
  return Number(row?.["commits"]);
}

describe("requests that share a commit", () => {
  test("are answered as if each came alone: refused, foreign, repeated among good ones", async () => {
    const integrator = await newIntegrator(100);
    const [one, two] = [await newCard(integrator), await newCard(integrator)];
    const stranger = await newCard(await newIntegrator());
    const repeated = newId();
    await knowKey(integrator);
    const before = await countCommits(integrator);
    const replies = await Promise.all([
      credit(integrator, { card_id: one.id, amount: 10 }),
      credit(integrator, { card_id: two.id, amount: 60 }, repeated),
      credit(integrator, { card_id: two.id, amount: 60 }, repeated),
      credit(integrator, { card_id: one.id, amount: 31 }, "no-funds"),
      credit(integrator, { card_id: stranger.id, amount: 1 }),
      credit(integrator, { card_id: one.id, amount: 20 }),
      credit(integrator, { card_id: two.id, amount: 5 }, repeated),
      credit(integrator, { card_id: one.id, amount: 10 }),
      credit(integrator, { card_id: one.id, amount: 1 }),
    ]);
    expect(replies.map(told)).toEqual([
      "200 10",
      "200 60",
      "200 60",
      "422 insufficient_float",
      "404 card_not_found",
      "200 30",
      "422 idempotency_key_reused",
      "200 40",
      "422 insufficient_float",
    ]);
    expect(replies.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(1);
    expect(await floatOf(integrator)).toMatchObject({ balance: 0 });
    expect((await countCommits(integrator)) - before).toBeLessThanOrEqual(2);
    const again = await credit(integrator, { card_id: one.id, amount: 31 }, "no-funds");
    expect(again.text).toBe(replies[3].text);
  });

  test.each([POISON, LATE_POISON])(
    "and one with a %s among them hurts only itself",
    async (narrative) => {
      const integrator = await newIntegrator(100);
      const card = await newCard(integrator);
      const keys = Array.from({ length: 6 }, () => newId());
      await knowKey(integrator);
      const replies = await Promise.all(
        keys.map((key, turn) =>
          credit(
            integrator,
            { card_id: card.id, amount: 10, ...(turn === 3 ? { narrative } : {}) },
            key,
          ),
        ),
      );
      expect(replies.map(told)).toEqual([
        "200 10",
        "200 20",
        "200 30",
        "500 internal_error",
        "200 40",
        "200 50",
      ]);
      expect(await floatOf(integrator)).toMatchObject({ balance: 50 });
      const repeats = await Promise.all(
        [0, 5].map((turn) => credit(integrator, { card_id: card.id, amount: 10 }, keys[turn])),
      );
      expect(repeats.map(({ text }) => text)).toEqual([replies[0]?.text, replies[5]?.text]);
      // What failed by chance is not kept: its key is free for another try.
      expect(told(await credit(integrator, { card_id: card.id, amount: 10 }, keys[3]))).toBe(
        "200 60",
      );
    },
  );

  test("beyond two thousand waiting are told to come back, and all others are served", async () => {
    const integrator = await newIntegrator(1_000_000);
    const card = await newCard(integrator);
    const sent = WAITING_MAX + BATCH_MAX + 50;
    const letGo = await holdFloat(integrator);
    const replies = await Promise.all(
      Array.from({ length: sent }, async () => {
        const reply = await credit(integrator, { card_id: card.id, amount: 1 });
        if (reply.status === 503) {
          letGo();
        }
        return reply;
      }),
    );
    const overloaded = replies.filter(({ status }) => status === 503);
    expect(overloaded.length).toBeGreaterThan(0);
    for (const reply of overloaded) {
      expect(reply.json).toMatchObject({ code: "overloaded" });
      expect(reply.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/u);
    }
    const served = replies.filter(({ status }) => status === 200).length;
    expect(served).toBe(sent - overloaded.length);
    expect(told(await credit(integrator, { card_id: card.id, amount: 1 }))).toBe(
      `200 ${served + 1}`,
    );
  });
});
