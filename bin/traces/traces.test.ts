import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { holdAccount } from "#test/database/commit-queues.ts";
import { testDatabase } from "#test/database/database.ts";
import { attemptsOf, HERE } from "#test/outside/notifications.ts";
import { answer } from "#test/outside/receiver.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import {
  collector,
  credit,
  deliver,
  named,
  newCustomer,
  PARENT,
  receiver,
  stopTraces,
  trace,
  TRACE,
  TRACEPARENT,
  untilWaiting,
} from "./traces-rig.ts";

describe("a credit", () => {
  test("is one trace, from the caller's span to the webhook's receiver", async () => {
    const customer = await newCustomer();
    await trace();
    const reply = await credit(customer, { traceparent: TRACEPARENT });
    expect(reply.status).toBe(200);
    await deliver(customer);
    const request = await named("creditCard");
    const commit = await named("commit");
    const webhook = await named("webhook");
    expect(request).toMatchObject({
      traceId: TRACE,
      parentId: PARENT,
      kind: "server",
      isError: false,
      attributes: {
        "http.request.method": "PATCH",
        "http.route": "/api/cards/credit/balance",
        "http.response.status_code": 200,
        "floatdeck.request_id": reply.headers.get("x-request-id"),
      },
      resource: { "service.name": "floatdeck", "floatdeck.process": "server" },
    });
    expect(commit).toMatchObject({
      traceId: TRACE,
      parentId: request.id,
      kind: "internal",
      links: [request.id],
      attributes: { "floatdeck.queue": "funds", "floatdeck.batch_requests": 1 },
    });
    expect(request.links).toEqual([commit.id]);
    expect(webhook).toMatchObject({
      traceId: TRACE,
      parentId: request.id,
      kind: "client",
      attributes: { "http.request.method": "POST", "http.response.status_code": 200 },
    });
    const sent = receiver.received.map(({ headers }) => headers["traceparent"]);
    expect(sent).toContain(`00-${TRACE}-${webhook.id}-01`);
    const attempts = await attemptsOf(customer.integrator);
    expect(attempts.map(({ requestHeaders }) => requestHeaders["traceparent"])).toContain(
      `00-${TRACE}-${webhook.id}-01`,
    );
  });

  test("shows its statements under the commit, as texts without values", async () => {
    const customer = await newCustomer();
    await trace();
    await credit(customer);
    const statement = await named("insert events");
    const commit = await named("commit");
    expect(statement).toMatchObject({
      traceId: commit.traceId,
      parentId: commit.id,
      kind: "client",
    });
    expect(statement.attributes["db.query.text"]).toMatch(/insert into events[^']*\$1/u);
  });

  test("that shares its commit links to it, and the commit to each request", async () => {
    const customer = await newCustomer();
    await trace();
    const release = await holdAccount(customer.card.id);
    const answers = [1, 2, 3].map(() => credit(customer));
    await untilWaiting(2);
    release();
    await Promise.all(answers);
    const requests = await collector.waitFor("creditCard", 3);
    const commits = await collector.waitFor("commit", 2);
    const shared = commits.find(({ links }) => links.length === 2);
    expect(shared?.attributes["floatdeck.batch_requests"]).toBe(2);
    const linking = requests.filter(({ links }) => links[0] === shared?.id);
    expect(linking.map(({ id }) => id).toSorted()).toEqual(shared?.links.toSorted());
    expect(linking.some(({ id }) => id === shared?.parentId)).toBe(true);
  });
});

test("a refusal names its code and is no error; a path that does not exist is named like any other", async () => {
  const { key } = await newCustomer();
  await trace();
  await call("GET /cards?limit=none", { key });
  expect(await named("listCards")).toMatchObject({
    isError: false,
    attributes: { "http.response.status_code": 422, "floatdeck.error_code": "validation_failed" },
  });
  await call("GET /cards/x/y");
  expect((await named("unknown")).attributes["floatdeck.error_code"]).toBe("path_unknown");
});

test("a failed attempt is an error with the kind of the failure", async () => {
  const customer = await newCustomer();
  receiver.behave(answer(500));
  await trace();
  await credit(customer, { traceparent: TRACEPARENT });
  const worker = startWorker(testDatabase().db, HERE);
  const webhook = await named("webhook");
  await worker.stop();
  expect(webhook).toMatchObject({
    traceId: TRACE,
    isError: true,
    attributes: {
      "error.type": "server_failed",
      "http.response.status_code": 500,
      "floatdeck.attempt": 1,
    },
  });
});

test("spans contain no key, id of a record or a person, name, amount, or address", async () => {
  const customer = await newCustomer();
  await trace();
  const { integrator, card, key } = customer;
  await credit(customer);
  await call(`GET /cards/${card.id}`, { key });
  await call(`PATCH /cards/${card.id}/freeze`, {
    key,
    headers: { "Idempotency-Key": "mine-4711" },
  });
  await call("GET /card-integrators/card-users?search=Osei", { key });
  await call("POST /card-integrators/api-keys", {
    key,
    body: { name: "Till", scopes: ["cards:read"] },
  });
  await deliver(customer);
  await stopTraces();
  expect(collector.spans.length).toBeGreaterThan(20);
  const { cardholderId } = card;
  for (const secret of [
    key,
    integrator.id,
    card.id,
    cardholderId,
    "4711",
    "mine-",
    "Osei",
    "Lin",
    "Ada",
    "Till",
    "Northwind",
    "USD",
    "127.0.0.1",
    "/hook",
  ]) {
    expect(collector.text()).not.toContain(secret);
  }
});
