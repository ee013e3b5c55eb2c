import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";

/** An attacker with SQL access, as the owner of the tables. */
let owner: postgres.Sql;
let mine: TestIntegrator;
let strange: TestIntegrator;
let eventId: string;

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  [mine, strange] = [await newIntegrator(), await newIntegrator()];
  await newCard(mine);
  await Promise.all([mine, strange].map((each) => setWebhookUrl(each, "https://hooks.example/")));
  const [event] = await owner<{ id: string }[]>`
    select id from events where integrator_id = ${mine.id} limit 1`;
  eventId = event?.id ?? "";
});

afterAll(() => owner.end());

const deliver = (endpointId: string, id: string) => owner`
  insert into webhook_deliveries (endpoint_id, event_id, event, due_at)
  values (${endpointId}, ${id}, 'card.created', now())`;

test("the database refuses a delivery to another integrator's endpoint, of an unknown event, and to an unknown endpoint", async () => {
  const refusal = /webhook_deliveries_event/u;
  await expect(deliver(strange.id, eventId)).rejects.toThrow(refusal);
  await expect(deliver(mine.id, randomUUID())).rejects.toThrow(refusal);
  await expect(deliver(randomUUID(), eventId)).rejects.toThrow(refusal);
});

test("a delivery keeps its event and its endpoint", async () => {
  await deliver(mine.id, eventId);
  for (const [column, value] of Object.entries({
    endpoint_id: strange.id,
    event_id: randomUUID(),
  })) {
    await expect(
      owner`update webhook_deliveries set ${owner(column)} = ${value} where endpoint_id = ${mine.id}`,
    ).rejects.toThrow(/append_only/u);
  }
});
