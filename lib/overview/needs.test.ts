import { beforeEach, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { UNKNOWN } from "#test/scene/bulk-account.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy } from "#test/scene/spending.ts";
import { newStaff } from "#test/scene/staff.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { listNeeds } from "#lib/overview/needs.ts";
import { database } from "#db/client.ts";

let integrator: TestIntegrator;
let cardId: string;

beforeEach(async () => {
  integrator = await newIntegrator(10_000);
  cardId = (await newCard(integrator, 100)).id;
});

const HOUR_MS = 3_600_000;

async function needs(afterMs = 0, by = integrator): Promise<unknown[]> {
  const found = await listNeeds(reading(by), new Date(Date.now() + afterMs));
  return found.map((need) => {
    if (need.kind === "refused_items") {
      return [need.kind, need.job.refused];
    }
    const more = need.kind === "repeated_declines" ? need.times : need.freeze.reason;
    return [need.kind, need.card.id, more];
  });
}

const freeze = (reason: string) =>
  call(`PATCH /cards/${cardId}/freeze`, { key: integrator.apiKey, body: { reason } });

test("an account in order needs nothing, and a freeze on request nothing either", async () => {
  expect(await needs()).toEqual([]);
  await freeze("cardholder_request");
  expect(await needs()).toEqual([]);
});

test("a protective freeze needs somebody until a person has noted what they found", async () => {
  await freeze("suspected_fraud");
  expect(await needs()).toEqual([["unreviewed_freeze", cardId, "suspected_fraud"]]);
  expect(await needs(0, await newIntegrator(0))).toEqual([]);
  const { headers } = await newStaff(integrator.id, "operator");
  await call(`POST /cards/${cardId}/notes`, { headers, body: { comment: "Spoke with Lin." } });
  expect(await needs()).toEqual([]);
});

test("three declines of a card within an hour need somebody, two do not", async () => {
  for (let times = 1; times <= 3; times += 1) {
    expect(await needs()).toEqual([]);
    await buy(integrator, { cardId, amount: 9_999 });
  }
  expect(await needs()).toEqual([["repeated_declines", cardId, 3]]);
  expect(await needs(HOUR_MS + 1_000)).toEqual([]);
});

test("a job with refusals needs somebody for a day, a check never", async () => {
  for (const check of [true, false]) {
    const items = [{ card_id: cardId }, { card_id: UNKNOWN }];
    const body = { operation: "freeze", reason: "inactivity", check, items };
    await call("POST /bulk", { key: integrator.apiKey, body });
    await runBulkJobs(database());
    expect(await needs()).toEqual(check ? [] : [["refused_items", 1]]);
  }
  expect(await needs(25 * HOUR_MS)).toEqual([]);
});
