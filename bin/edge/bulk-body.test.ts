import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { RawConnection, toAnswer } from "#test/outside/raw-http.ts";
import { EdgeRig, readProblem } from "./edge-rig.ts";

let rig: EdgeRig;
let integrator: TestIntegrator;

beforeAll(async () => {
  rig = await EdgeRig.start();
  integrator = await newIntegrator();
});

afterAll(() => rig.stop());

const items = Array.from({ length: 10_000 }, () => ({
  card_id: "x",
  amount: "much",
  more: 12_345,
}));
const body = JSON.stringify({ operation: "freeze", items });

/** How many refused bodies of one client may wait. */
const WAITING_MAX = 64;
const CONNECTIONS = 80;

const toHead = (key: string, connection = "close") =>
  `POST /api/bulk HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

test("a key that may do nothing to many cards is refused before its body arrives", async () => {
  const { key } = await newScopedKey(integrator.id, ["cards:read"]);
  const connection = await RawConnection.open(rig.port);
  connection.send(`${toHead(key)}{`);
  const answer = await connection.until("scope_missing");
  expect(answer).toMatch(/^HTTP\/1\.1 403 /u);
  connection.socket.destroy();
});

test("the rest of a client's long bodies is dropped one after another", async () => {
  const { key } = await newScopedKey(integrator.id, ["cards:read"]);
  const [slow, next] = await Promise.all([
    RawConnection.open(rig.port),
    RawConnection.open(rig.port),
  ]);
  slow.send(`${toHead(key)}{`);
  await slow.until("scope_missing");
  next.send(
    `${toHead(key, "keep-alive")}${body}GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  );
  await next.until("scope_missing");
  const first = await Promise.race([
    slow.untilClosed().then(() => "the slow one is closed"),
    next.until("HTTP/1.1 200").then(() => "the next request is answered"),
  ]);
  expect(first).toBe("the slow one is closed");
  await next.until("HTTP/1.1 200");
  next.socket.destroy();
});

test("a client with too many refused bodies that do not arrive loses the newest connections, after their answers", async () => {
  const { key } = await newScopedKey(integrator.id, ["cards:read"]);
  const connections: RawConnection[] = [];
  let closed = 0;
  while (connections.length < CONNECTIONS) {
    const connection = await RawConnection.open(rig.port);
    connection.send(`${toHead(key)}{`);
    connection.socket.once("end", () => (closed += 1));
    connections.push(connection);
  }
  await Promise.all(connections.map((connection) => connection.until("HTTP/1.1 4")));
  const newest = connections.slice(WAITING_MAX).map(({ socket }) => socket);
  await vi.waitUntil(() => newest.some(({ readableEnded }) => readableEnded), { timeout: 60_000 });
  // If all of them waited, as many would be closed first.
  expect(closed).toBeLessThan(WAITING_MAX);
  for (const { socket } of connections) {
    socket.destroy();
  }
});

test("10,000 invalid items get a short answer", async () => {
  expect(body.length).toBeGreaterThan(439_000);
  const connection = await RawConnection.open(rig.port);
  connection.send(toHead(integrator.apiKey) + body);
  const answer = toAnswer(await connection.untilClosed());
  expect(readProblem(answer)).toBe("422 validation_failed");
  expect(answer.body.length).toBeLessThan(5_000);
  const { detail, errors } = JSON.parse(answer.body);
  expect(detail).toMatch(
    /^The request is not valid for this operation: see items\.0\..* and 730 more in the first 250 of 10000 elements\.$/u,
  );
  expect(Object.keys(errors)).toHaveLength(20);
});
