import { sql } from "drizzle-orm";
import { listCardActivity } from "#lib/transactions/card-activity.ts";
import { readAudit } from "#test/scene/recorded-events.ts";
import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, newOrigin, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { countCommits, holdAccount, overload } from "#test/database/commit-queues.ts";
import { toJsonAnswer } from "#lib/api/wire/answer.ts";
import { CARD_STATUS } from "#lib/api/commit/procedures.ts";
import { perform } from "#lib/api/commit/perform.ts";
import { newId } from "#lib/base/ids.ts";

/** @param act `freeze` or `unfreeze`, and the card's id. */
function ask(
  integrator: TestIntegrator,
  act: `${"freeze" | "unfreeze"} ${string}`,
  { body = {}, key }: { body?: unknown; key?: string } = {},
): Promise<ApiReply> {
  const [verb, cardId] = act.split(" ");
  return call(`PATCH /cards/${cardId}/${verb}`, {
    key: integrator.apiKey,
    body,
    headers: key ? { "Idempotency-Key": key } : {},
  });
}

/** Once the key has been looked up, requests reach the commit queue in the order they were sent. */
async function knowKey(integrator: TestIntegrator): Promise<void> {
  await call("GET /cards", { key: integrator.apiKey });
}

function summarize({ status, json }: ApiReply): string {
  const { code, freeze, ...card } = json as {
    code?: string;
    status?: string;
    freeze?: { comment: string | null } | null;
  };
  return [status, code ?? card.status, freeze?.comment].filter(Boolean).join(" ");
}

/**
 * Everything recorded about a card's states, oldest first: history, events by sequence, and the
 * audit log.
 */
async function readRecords(integrator: TestIntegrator, cardId: string) {
  const { db } = testDatabase();
  const ours = sql`integrator_id = ${integrator.id}`;
  const { rows } = await listCardActivity(reading(integrator), cardId, { limit: 99 });
  const history = rows.flatMap((row) => (row.type === "state_change" ? [row.stateChange] : []));
  const events = await db.execute(sql`
    select sequence::int, event, content::jsonb -> 'previous' ->> 'status' as before, content::jsonb -> 'data' ->> 'status' as after
    from events where ${ours} and subject_id = ${cardId} order by sequence`);
  const entries = await readAudit(integrator, { targetId: cardId });
  const audit = entries.filter(({ action }) => action !== "card.created");
  return {
    history: history.toReversed().map(({ from, to, comment }) => [from, to, comment]),
    events: events.map((row) => Object.values(row)),
    audit: audit.map(({ action, before, after }) => [
      action,
      before?.["status"] ?? null,
      after?.["comment"] ?? null,
    ]),
  };
}

describe("changes of status that share a commit", () => {
  test("are answered as if each were sent alone: repeated, closed, and foreign among valid ones", async () => {
    const integrator = await newIntegrator();
    const [one, two, gone] = [
      await newCard(integrator),
      await newCard(integrator),
      await newCard(integrator),
    ];
    await call(`POST /cards/${gone.id}/close`, { key: integrator.apiKey, body: {} });
    const stranger = await newCard(await newIntegrator());
    const key = newId();
    await knowKey(integrator);
    const release = await holdAccount(one.id);
    const pending = Promise.all([
      ask(integrator, `freeze ${one.id}`, { body: { reason: "lost", comment: "first" } }),
      ask(integrator, `freeze ${one.id}`, { body: { reason: "stolen", comment: "second" } }),
      ask(integrator, `freeze ${two.id}`, { body: { comment: "keyed" }, key }),
      ask(integrator, `freeze ${two.id}`, { body: { comment: "keyed" }, key }),
      ask(integrator, `freeze ${two.id}`, { body: { comment: "other" }, key }),
      ask(integrator, `freeze ${gone.id}`),
      ask(integrator, `unfreeze ${stranger.id}`),
      ask(integrator, `freeze ${newId()}`),
      ask(integrator, `unfreeze ${one.id}`, { body: { comment: "found" } }),
      ask(integrator, `freeze ${one.id}`, { body: { comment: "third" } }),
    ]);
    setTimeout(release, 200);
    const replies = await pending;
    expect(replies.map(summarize)).toEqual([
      "200 frozen first",
      "200 frozen second",
      "200 frozen keyed",
      "200 frozen keyed",
      "422 idempotency_key_reused",
      "409 card_closed",
      "404 card_not_found",
      "404 card_not_found",
      "200 active",
      "200 frozen third",
    ]);
    expect(replies[3].text).toBe(replies[2].text);
    expect(await countCommits(integrator.id, "card.%frozen")).toBeLessThanOrEqual(2);
    const { json } = await call(`GET /cards/${one.id}`, { key: integrator.apiKey });
    expect(json).toEqual(replies[9].json);
    expect(await readRecords(integrator, one.id)).toEqual({
      history: [
        [null, "active", null],
        ["active", "frozen", "first"],
        ["frozen", "frozen", "second"],
        ["frozen", "active", "found"],
        ["active", "frozen", "third"],
      ],
      events: [
        [1, "card.created", null, "active"],
        [2, "card.frozen", "active", "frozen"],
        [3, "card.frozen", "frozen", "frozen"],
        [4, "card.unfrozen", "frozen", "active"],
        [5, "card.frozen", "active", "frozen"],
      ],
      audit: [
        ["card.frozen", "active", "first"],
        ["card.frozen", "frozen", "second"],
        ["card.unfrozen", "frozen", "found"],
        ["card.frozen", "active", "third"],
      ],
    });
    expect((await readRecords(integrator, two.id)).events).toHaveLength(2);
    // All four advanced the card's counter.
    expect(summarize(await ask(integrator, `unfreeze ${one.id}`))).toBe("200 active");
    expect((await readRecords(integrator, one.id)).events.at(-1)?.[0]).toBe(6);
    const again = await ask(integrator, `freeze ${two.id}`, { body: { comment: "keyed" }, key });
    expect(again.text).toBe(replies[2].text);
  });

  test("and a fund movement between them number one card's events without a gap", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 10);
    await Promise.all(
      Array.from({ length: 60 }, (_, turn) =>
        turn % 3 === 2
          ? call("PATCH /cards/credit/balance", {
              key: integrator.apiKey,
              body: { card_id: card.id, amount: 1 },
            })
          : ask(integrator, `${turn % 3 ? "freeze" : "unfreeze"} ${card.id}`),
      ),
    );
    const { events, history } = await readRecords(integrator, card.id);
    expect(events.map(([sequence]) => sequence)).toEqual(events.map((_, index) => index + 1));
    // Each history row starts from the state in which the previous one ended.
    expect(history.slice(1).map(([from]) => from)).toEqual(
      history.slice(0, -1).map(([, to]) => to),
    );
    const credits = events.filter(([, event]) => event === "card.credited").length;
    expect(events).toHaveLength(credits + history.length);
  });

  test("beyond two thousand waiting are refused as overloaded, and all others are served", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    await knowKey(integrator);
    await overload(card.id, {
      fill: () =>
        perform(CARD_STATUS, {
          key: null,
          integratorId: integrator.id,
          group: integrator.id,
          request: newOrigin(),
          instance: `/api/cards/${card.id}/freeze`,
          input: {
            cardId: card.id,
            to: "frozen",
            level: "cardholder",
            mayLift: [],
            reason: null,
            statusVersion: null,
            actor: integrator.actor,
            request: newOrigin(),
          },
          toAnswered: () => ({ answer: toJsonAnswer(200, null) }),
        }),
      sent: [
        () => ask(integrator, `freeze ${card.id}`),
        () => ask(integrator, `unfreeze ${card.id}`),
      ],
    });
    expect((await readRecords(integrator, card.id)).events).toHaveLength(2);
  });
});
