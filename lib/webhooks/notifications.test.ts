import { setTimeout as sleep } from "node:timers/promises";
import { Webhook as Reference } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { toPublishedChecksum } from "#test/outside/notifications.ts";
import {
  ask,
  cardId,
  integrator,
  listed,
  receiver,
  secret,
  useNotifiedAccount,
} from "#test/scene/notified-account.ts";
import { newId } from "#lib/base/ids.ts";

useNotifiedAccount();

const person = {
  address: { city: "A", country: "GH", line1: "A", line2: null, state: "A", zip_code: "A" },
  email: "a@example.com",
  first_name: "A",
  last_name: "A",
  id_number: "1234",
  id_type: "A",
  phone_number: "1",
};

/** The notifications of each change; several are in the order of the subject's sequence. */
const CHANGES: [string, () => Promise<ApiReply>, string[]][] = [
  [
    "a float's top-up",
    () => ask("PATCH /card-integrators/top-up-float", { amount: 1_000 }),
    ["float.topped-up"],
  ],
  [
    "a threshold",
    () => ask("PATCH /card-integrators/settings", { low_balance_threshold: 900 }),
    ["integrator.updated"],
  ],
  [
    "a credit",
    () => ask("PATCH /cards/credit/balance", { card_id: cardId, amount: 100 }),
    ["card.credited"],
  ],
  [
    "a credit below the threshold",
    () => ask("PATCH /cards/top-up", { card_id: cardId, amount: 1 }),
    ["card.credited", "float.low-balance"],
  ],
  [
    "another credit below it",
    () => ask("PATCH /cards/credit/balance", { card_id: cardId, amount: 1 }),
    ["card.credited"],
  ],
  [
    "a refused credit",
    () => ask("PATCH /cards/credit/balance", { card_id: cardId, amount: 100_000 }),
    [],
  ],
  [
    "a debit back to the threshold",
    () => ask("PATCH /cards/debit/balance", { card_id: cardId, amount: 2 }),
    ["card.debited", "float.recovered"],
  ],
  ["a freeze", () => ask(`PATCH /cards/${cardId}/freeze`, { reason: "lost" }), ["card.frozen"]],
  ["a second freeze", () => ask(`PATCH /cards/${cardId}/freeze`), []],
  ["an unfreeze", () => ask(`PATCH /cards/${cardId}/unfreeze`), ["card.unfrozen"]],
  [
    "a close that sweeps",
    () => ask(`POST /cards/${cardId}/close`),
    ["card.closed", "card.debited"],
  ],
  [
    "an update",
    () => ask("PATCH /card-integrators/update", { domain: "new.example" }),
    ["integrator.updated"],
  ],
  [
    "an update that changes nothing",
    () => ask("PATCH /card-integrators/update", { domain: "new.example" }),
    [],
  ],
  [
    "a cardholder",
    () => ask(`POST /card-integrators/${integrator.id}/register-user`, person),
    ["user.kyc-verification"],
  ],
  ["a test", () => ask("POST /webhooks/test"), ["webhook.test"]],
];

describe("each change through HTTP notifies the receiver of exactly what happened", () => {
  test.each(CHANGES)("%s", async (_name, change, expected) => {
    const before = receiver.received.length;
    await change();
    await receiver.waitFor(before + expected.length);
    if (expected.length === 0) {
      await sleep(100);
    }
    const received = receiver.received.slice(before);
    expect(received.map(({ body }) => String(JSON.parse(body).event)).toSorted()).toEqual(expected);
    for (const { body, headers } of received) {
      const signed = headers as Record<string, string>;
      expect(() => new Reference(secret).verify(body, signed)).not.toThrow();
      expect(() => new Svix(secret).verify(body, signed)).not.toThrow();
      expect(JSON.parse(body).checksum).toBe(toPublishedChecksum(integrator.id, body));
    }
  });
});

describe("events", () => {
  test("are listed as they were sent, and a cursor returns the events since", async () => {
    const delivered = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
    let all = await listed("GET /events?limit=100");
    while (all.data.length < delivered.size) {
      await sleep(10);
      all = await listed("GET /events?limit=100");
    }
    const sent = new Map(
      receiver.received.map(({ body }) => [String(JSON.parse(body).id), JSON.parse(body)]),
    );
    for (const event of all.data) {
      expect(event).toEqual(sent.get(event.id) ?? event);
    }
    const pages: string[] = [];
    let after = "";
    for (;;) {
      const page = await listed(`GET /events?limit=4${after}`);
      pages.push(...page.data.map(({ id }) => id));
      after = `&after=${page.next_cursor}`;
      if (page.data.length === 0) {
        break;
      }
    }
    expect(pages).toEqual(all.data.map(({ id }) => id));
    await ask("POST /webhooks/test");
    // An event is visible once every transaction that ran alongside it has ended, including the
    // worker's own.
    let since = await listed(`GET /events?limit=4${after}`);
    while (since.data.length === 0) {
      await sleep(10);
      since = await listed(`GET /events?limit=4${after}`);
    }
    expect(since.data.map(({ event }) => event)).toEqual(["webhook.test"]);
  });

  test("are filtered by name and card; an unknown name and a malformed cursor are refused by name", async () => {
    const frozen = await listed("GET /events?event=card.frozen");
    expect(frozen.data).toMatchObject([{ event: "card.frozen", subject: { id: cardId } }]);
    const ofCard = await listed(`GET /events?limit=100&card_id=${cardId}`);
    expect(ofCard.data.length).toBeGreaterThan(5);
    expect(await listed(`GET /events?card_id=${newId()}`)).toEqual({ data: [], next_cursor: null });
    for (const [member, query] of [
      ["event", "event=card.freezed"],
      ["after", "after=1"],
      ["after", `after=x.${newId()}`],
    ]) {
      expect(await ask(`GET /events?${query}`)).toMatchObject({
        status: 422,
        json: { errors: { [String(member)]: [expect.any(String)] } },
      });
    }
  });

  test("of another integrator are not visible", async () => {
    const stranger = await newIntegrator();
    const theirs = await call("GET /events", { key: stranger.apiKey });
    expect(theirs.json).toEqual({ data: [], next_cursor: null });
  });
});
