import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { receiverOf } from "#test/outside/each-worker.ts";
import { HERE } from "#test/outside/notifications.ts";
import { answer, reset } from "#test/outside/receiver.ts";
import type { Behavior } from "#test/outside/receiver.ts";
import { send } from "#lib/webhooks/internal/send.ts";

const NEVER = new AbortController().signal;

const post = (url: string, body = "{}") => send({ url, headers: {}, body }, HERE, NEVER);

const DELIVERED = { failure: null, status: 200, address: "127.0.0.1" };

test("notifications to the same URL go over one connection, one after the other", async () => {
  const receiver = await receiverOf();
  for (const body of ["1", "2", "3"]) {
    expect(await post(receiver.url, body)).toMatchObject(DELIVERED);
  }
  expect(receiver.received.map(({ body }) => body)).toEqual(["1", "2", "3"]);
  expect(receiver.connections()).toBe(1);
});

test("notifications at the same time, and to other URLs, have connections of their own", async () => {
  const receiver = await receiverOf();
  await Promise.all([post(receiver.url), post(receiver.url)]);
  await post(`${receiver.url}/other`);
  expect(receiver.connections()).toBe(3);
});

test.each<[string, Behavior]>([
  ["asks for it", answer(200, { connection: "close" })],
  [
    "sends more than its answer",
    (response, { socket }) => {
      response.end();
      setTimeout(() => socket.write("HTTP/1.1 204 No Content\r\n\r\n"), 20);
    },
  ],
  ["sends more than is read", answer(200, {}, "x".repeat(200_000))],
])("a connection is not used again after a receiver that %s", async (_name, behavior) => {
  const receiver = await receiverOf(behavior);
  expect(await post(receiver.url)).toMatchObject(DELIVERED);
  await sleep(50);
  expect(await post(receiver.url)).toMatchObject(DELIVERED);
  expect(receiver.connections()).toBe(2);
});

test("a connection that the receiver has closed costs no attempt", async () => {
  const receiver = await receiverOf();
  await post(receiver.url);
  receiver.behave((response, request) => {
    receiver.behave(answer(200));
    reset(response, request);
  });
  expect(await post(receiver.url, "again")).toMatchObject(DELIVERED);
  expect(receiver.received.map(({ body }) => body)).toEqual(["{}", "again", "again"]);
  expect(receiver.connections()).toBe(2);
});

test("a new connection that is cut is reported, and not tried again", async () => {
  const receiver = await receiverOf(reset);
  expect(await post(receiver.url)).toMatchObject({ failure: "connection_lost", status: null });
  expect(receiver.received.length).toBe(1);
});
