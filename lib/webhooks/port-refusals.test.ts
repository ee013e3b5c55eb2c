import { createServer } from "node:http";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { attemptsOf, until } from "#test/outside/notifications.ts";
import { useWorkers, work } from "#test/outside/each-worker.ts";

useWorkers();

/** 1.1.1.1 is public, and no name has to be resolved. Nothing is sent there: no worker runs. */
const BAD = "https://1.1.1.1:6000/hooks";

async function setUrl(integratorId: string, url: string, isInUse: boolean): Promise<void> {
  await testDatabase().db.execute(sql`
    update webhook_endpoints set url = ${url}, last_success_at = ${isInUse ? sql`clock_timestamp()` : null}
    where id = ${integratorId}`);
}

async function newAccount() {
  const integrator = await newIntegrator();
  const ask = (line: string, body?: unknown) => call(line, { key: integrator.apiKey, body });
  expect(
    (await ask("PATCH /card-integrators/update", { webhook_url: "https://1.1.1.1/" })).status,
  ).toBe(200);
  return { ...integrator, ask };
}

/** How the notifications to such an account fail. */
async function attemptsAt(isInUse: boolean) {
  const account = await newAccount();
  await setUrl(account.id, "http://127.0.0.1:6697/", isInUse);
  work();
  const deliveries = await until(account, ({ attempts }) => attempts > 0);
  await until(account, ({ lockedBy }) => lockedBy === null);
  const attempts = await attemptsOf(account);
  expect(attempts).toHaveLength(deliveries.length);
  return new Set(attempts.map(({ failure }) => failure));
}

describe("a port of another protocol is refused", () => {
  test("at registration, of the account's URL and of a further endpoint's", async () => {
    const { ask } = await newAccount();
    const further = { webhook_url: "https://1.1.1.1/", events: ["card.frozen"] };
    const { data } = Object((await ask("POST /webhook-endpoints", further)).json);
    for (const [line, body] of [
      ["PATCH /card-integrators/update", { webhook_url: BAD }],
      ["POST /webhook-endpoints", { ...further, webhook_url: BAD }],
      [`PATCH /webhook-endpoints/${data.id}`, { webhook_url: BAD }],
    ] as const) {
      expect(await ask(line, body)).toMatchObject({
        status: 422,
        json: { errors: { webhook_url: [expect.stringContaining("port 6000")] } },
      });
    }
  });

  test("unless one of the account's endpoints has been using it on that host", async () => {
    const { id, ask } = await newAccount();
    const stranger = await newAccount();
    await setUrl(id, BAD, true);
    const again = { webhook_url: "https://1.1.1.1:6000/moved" };
    expect((await stranger.ask("PATCH /card-integrators/update", again)).status).toBe(422);
    const other = { webhook_url: "https://1.0.0.1:6000/" };
    expect((await ask("PATCH /card-integrators/update", other)).status).toBe(422);
    expect((await ask("PATCH /card-integrators/update", again)).status).toBe(200);
  });

  // One worker each: it must not see an account before its URL is set.
  test.each([
    ["when a notification is sent", { isInUse: false, failure: "address_refused" }],
    ["but not to an endpoint that has been using it", { isInUse: true, failure: null }],
  ])("%s", async (_what, { isInUse, failure }) => {
    let received = 0;
    const server = createServer((_, response) => {
      received += 1;
      response.end();
    });
    await new Promise((resolve) => server.listen(6_697, "127.0.0.1", () => resolve(null)));
    onTestFinished(() => void server.close());
    expect(await attemptsAt(isInUse)).toEqual(new Set([failure]));
    expect(received > 0).toBe(isInUse);
  });
});
