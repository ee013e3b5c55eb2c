import { isNull } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, newOrigin, newProcessorKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import {
  countCommits,
  LATE_POISON,
  overload,
  POISON,
  refusePoison,
} from "#test/database/commit-queues.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import { toJsonAnswer } from "#lib/api/wire/answer.ts";
import { AUTHORIZATIONS } from "#lib/api/commit/procedures.ts";
import { PROCESSOR_SCOPE } from "#lib/api/commit/processor-references.ts";
import { perform } from "#lib/api/commit/perform.ts";
import { newId } from "#lib/base/ids.ts";
import type { AuthorizationRequest } from "#lib/purchases/authorizations.ts";
import type { Caller } from "#lib/base/context.ts";

let key: string;

beforeAll(async () => {
  await refusePoison();
  key = await newProcessorKey();
});

interface AuthorizeCall {
  reference?: string | undefined;
  cardId: string;
  amount: number;
  narrative?: string;
}

function authorize({
  reference = newId(),
  cardId,
  amount,
  narrative,
}: AuthorizeCall): Promise<ApiReply> {
  return call("POST /processor/authorizations", {
    key,
    body: { reference, card_id: cardId, amount, currency: "USD", narrative: narrative ?? null },
  });
}

/**
 * Once the key and cards have been looked up, requests reach the commit queue in the order they
 * were sent.
 */
async function knowCards(cardIds: readonly string[]): Promise<void> {
  for (const cardId of cardIds) {
    await authorize({ cardId, amount: 1_000_000_000 });
  }
}

function summarize({ status, json }: ApiReply): string {
  const { code, decline_reason, available } = json as {
    code?: string;
    decline_reason?: string | null;
    available?: number | null;
  };
  return [status, code ?? decline_reason ?? "approved", available].filter(Boolean).join(" ");
}

async function balances(integrator: TestIntegrator, cardId: string) {
  const { json } = await call(`GET /cards/${cardId}`, { key: integrator.apiKey });
  const { balance, held } = json as { balance: number; held: number };
  return { balance, held };
}

const NETWORK = { type: "processor", id: null, name: "Test network" } as const;

async function findProcessorKeyId(): Promise<string> {
  const [row] = await testDatabase()
    .db.select({ id: apiKeys.id })
    .from(apiKeys)
    .where(isNull(apiKeys.integratorId));
  return row?.id ?? "";
}

function toRequest(cardId: string): Omit<AuthorizationRequest, keyof Caller> {
  return {
    cardId,
    amount: 1,
    currency: "USD",
    narrative: null,
    merchant: null,
    expiresInS: 3_600,
  };
}

describe("authorizations that share a commit", () => {
  test("are decided as if each were sent alone: declined, repeated, misused, and unknown cards among valid ones", async () => {
    const integrator = await newIntegrator(1_000);
    const [one, two] = [await newCard(integrator, 100), await newCard(integrator, 60)];
    const stranger = await newCard(await newIntegrator(1_000), 10);
    await knowCards([one.id, two.id, stranger.id]);
    const before = await countCommits(integrator.id, "card.transaction%");
    const reference = newId();
    const replies = await Promise.all([
      authorize({ cardId: one.id, amount: 70 }),
      authorize({ cardId: one.id, amount: 40 }),
      authorize({ cardId: two.id, amount: 50, reference }),
      authorize({ cardId: two.id, amount: 50, reference }),
      authorize({ cardId: two.id, amount: 1, reference }),
      authorize({ cardId: newId(), amount: 1 }),
      authorize({ cardId: stranger.id, amount: 9 }),
      authorize({ cardId: one.id, amount: 30 }),
      authorize({ cardId: two.id, amount: 9 }),
    ]);
    expect(replies.map(summarize)).toEqual([
      "200 approved 30",
      "200 insufficient_funds 30",
      "200 approved 10",
      "200 approved 10",
      "409 reference_reused",
      "200 card_unknown",
      "200 approved 1",
      "200 approved",
      "200 approved 1",
    ]);
    expect(replies[3].text).toBe(replies[2].text);
    expect(replies[3].headers.get("idempotent-replayed")).toBe("true");
    expect(await balances(integrator, one.id)).toEqual({ balance: 100, held: 100 });
    expect(await balances(integrator, two.id)).toEqual({ balance: 60, held: 59 });
    const commits = (await countCommits(integrator.id, "card.transaction%")) - before;
    expect(commits).toBeLessThanOrEqual(2);
    const again = await authorize({ cardId: two.id, amount: 50, reference });
    expect(again.text).toBe(replies[2].text);
  });

  test("on a frozen card are declined from the freeze on", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 100);
    await knowCards([card.id]);
    const [, ...rest] = await Promise.all([
      call(`PATCH /cards/${card.id}/freeze`, { key: integrator.apiKey }),
      ...Array.from({ length: 20 }, () => authorize({ cardId: card.id, amount: 1 })),
    ]);
    const reasons = rest.map((reply) => summarize(reply).split(" ")[1]);
    const approved = reasons.filter((reason) => reason === "approved").length;
    expect(reasons).toEqual([
      ...Array.from({ length: approved }, () => "approved"),
      ...Array.from({ length: 20 - approved }, () => "card_frozen"),
    ]);
    expect(await balances(integrator, card.id)).toEqual({ balance: 100, held: approved });
    expect(summarize(await authorize({ cardId: card.id, amount: 1 }))).toMatch(/card_frozen/u);
  });

  test.each([POISON, LATE_POISON])(
    "and one with a %s among them fails alone",
    async (narrative) => {
      const integrator = await newIntegrator(1_000);
      const card = await newCard(integrator, 100);
      await knowCards([card.id]);
      const references = Array.from({ length: 6 }, () => newId());
      const replies = await Promise.all(
        references.map((reference, turn) =>
          authorize({
            reference,
            cardId: card.id,
            amount: 10,
            ...(turn === 3 ? { narrative } : {}),
          }),
        ),
      );
      expect(replies.map(summarize)).toEqual([
        "200 approved 90",
        "200 approved 80",
        "200 approved 70",
        "500 internal_error",
        "200 approved 60",
        "200 approved 50",
      ]);
      const repeat = await authorize({ reference: references[5], cardId: card.id, amount: 10 });
      expect(repeat.text).toBe(replies[5]?.text);
      // A transient failure is not stored: its reference may be sent again.
      expect(
        summarize(await authorize({ reference: references[3], cardId: card.id, amount: 10 })),
      ).toBe("200 approved 40");
    },
  );

  test("beyond two thousand waiting are refused as overloaded, and all others are served", async () => {
    const integrator = await newIntegrator(1_000_000);
    const card = await newCard(integrator, 100_000);
    await knowCards([card.id]);
    const apiKeyId = await findProcessorKeyId();
    const served = await overload(card.id, {
      fill: () =>
        perform(AUTHORIZATIONS, {
          key: {
            scope: PROCESSOR_SCOPE,
            name: newId(),
            fingerprint: "one of many",
            toEarlierFingerprints: () => [],
            authorizationReference: null,
            original: null,
            operation: "createAuthorization",
            apiKeyId,
          },
          integratorId: null,
          group: integrator.id,
          request: newOrigin(),
          instance: "/api/processor/authorizations",
          input: {
            ...toRequest(card.id),
            actor: { kind: "processor", scopes: new Set(["processor"] as const), ref: NETWORK },
            request: newOrigin(),
            integratorId: integrator.id,
          },
          toAnswered: () => ({ answer: toJsonAnswer(200, {}) }),
        }),
      sent: [() => authorize({ cardId: card.id, amount: 1 })],
    });
    expect(await balances(integrator, card.id)).toEqual({ balance: 100_000, held: served });
  });
});
