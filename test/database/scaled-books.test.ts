import { expect, test } from "vitest";
import { z } from "zod";
import { eventSchema } from "#lib/api/contract/event.ts";
import { toChecksum } from "#lib/record/event-body.ts";
import { testDatabase } from "./database.ts";
import { call } from "../scene/api-client.ts";
import { createScaledBooks } from "./scaled-books.ts";

// The ledger check after every test file is the other half of this test.
test("bulk-inserted data passes the database's own guards, and the API lists it", async () => {
  const { url, ownerUrl } = testDatabase();
  const scale = { cards: 20, transactionsPerCard: 6 };
  const { apiKey: key, ...made } = await createScaledBooks({ appUrl: url, ownerUrl }, scale, {
    unguarded: false,
  });
  expect(made).toMatchObject(scale);
  expect((await call("GET /cards?limit=100", { key })).json).toHaveLength(20);
  expect((await call("GET /cards?status=frozen", { key })).json).toHaveLength(2);
  expect((await call("GET /transactions?limit=100&type=debit", { key })).json).toMatchObject({
    data: expect.objectContaining({ length: 20 }),
  });
  expect((await call("GET /card-integrators/float/entries?limit=1", { key })).json).toMatchObject({
    data: [{ version: 121 }],
  });
  // An event is listed once no older transaction can precede it, also none of other tests.
  await expect.poll(() => listEvents(key)).toHaveLength(100);
  for (const event of await listEvents(key)) {
    expect(event.checksum).toBe(toChecksum(event.integrator_id, event));
  }
});

async function listEvents(key: string): Promise<z.output<typeof eventSchema>[]> {
  const { json } = await call("GET /events?limit=100", { key });
  return z.object({ data: z.array(eventSchema) }).parse(json).data;
}
