import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newOrigin } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import {
  countCommits,
  LATE_POISON,
  overload,
  POISON,
  refusePoison,
} from "#test/database/commit-queues.ts";
import { toJsonAnswer } from "#lib/api/wire/answer.ts";
import { FUNDS } from "#lib/api/commit/procedures.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { perform } from "#lib/api/commit/perform.ts";
import { newId } from "#lib/base/ids.ts";

beforeAll(refusePoison);

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

/** Once the key has been looked up, requests reach the commit queue in the order they were sent. */
async function knowKey(integrator: TestIntegrator): Promise<void> {
  await floatOf(integrator);
}

function summarize({ status, json }: ApiReply): string {
  const { code = "", balance = "" } = json as { code?: string; balance?: number };
  return `${status} ${code}${balance}`;
}

const FUNDS_OPERATIONS = OPERATIONS.filter(({ kind }) => kind === "funds");

describe("requests that share a commit", () => {
  test("are answered as if each were sent alone: refused, foreign, and repeated among valid ones", async () => {
    const integrator = await newIntegrator(100);
    const [one, two] = [await newCard(integrator), await newCard(integrator)];
    const stranger = await newCard(await newIntegrator());
    const repeated = newId();
    await knowKey(integrator);
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
    expect(replies.map(summarize)).toEqual([
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
    expect(await countCommits(integrator.id, "card.credited")).toBeLessThanOrEqual(2);
    const again = await credit(integrator, { card_id: one.id, amount: 31 }, "no-funds");
    expect(again.text).toBe(replies[3].text);
  });

  test.each([POISON, LATE_POISON])(
    "and one with a %s among them fails alone",
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
      expect(replies.map(summarize)).toEqual([
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
      // A transient failure is not stored: its key may be used again.
      expect(summarize(await credit(integrator, { card_id: card.id, amount: 10 }, keys[3]))).toBe(
        "200 60",
      );
    },
  );

  test("beyond two thousand waiting are refused as overloaded, and all others are served", async () => {
    const integrator = await newIntegrator(1_000_000);
    const card = await newCard(integrator);
    await knowKey(integrator);
    const body = { card_id: card.id, amount: 1 };
    const ask = ({ id, method, path }: Operation) =>
      call(`${method} ${path}`, {
        key: integrator.apiKey,
        body: id === "topUpFloat" ? { amount: 1 } : body,
      });
    const served = await overload(card.id, {
      fill: () =>
        perform(FUNDS, {
          key: null,
          integratorId: integrator.id,
          group: integrator.id,
          request: newOrigin(),
          instance: "/api/cards/credit/balance",
          input: {
            kind: "credit",
            amount: 1,
            cardId: card.id,
            actor: integrator.actor,
            request: newOrigin(),
          },
          toAnswered: () => ({ answer: toJsonAnswer(200, null) }),
        }),
      sent: FUNDS_OPERATIONS.map((operation) => () => ask(operation)),
    });
    expect(summarize(await credit(integrator, { card_id: card.id, amount: 1 }))).toBe(
      `200 ${served + 1}`,
    );
  });
});
