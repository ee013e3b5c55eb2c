import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { RawConnection, toAnswer } from "#test/outside/raw-http.ts";
import { EdgeRig, readProblem } from "./edge-rig.ts";

/** More than any pool of requests holds. */
const MANY = 300;
const FAST = "127.0.0.1";
const SLOW = "127.0.0.9";

let rig: EdgeRig;
let opened: RawConnection[] = [];

beforeAll(async () => {
  rig = await EdgeRig.start();
});

afterEach(() => {
  rig.reset();
  for (const { socket } of opened) {
    socket.destroy();
  }
  opened = [];
});

afterAll(() => rig.stop());

async function open(from: string, port = rig.port): Promise<RawConnection> {
  const connection = await RawConnection.open(port, from);
  opened.push(connection);
  return connection;
}

/** Sends this on each of many connections. Resolves once the server has begun with all of them. */
async function sendMany(from: string, text: string, count = MANY): Promise<RawConnection[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => open(from)));
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const note = () => {
    begun += 1;
    if (begun === count) {
      resolve();
    }
  };
  rig.edge.on("request", note);
  for (const connection of connections) {
    connection.send(text);
  }
  await promise;
  rig.edge.off("request", note);
  return connections;
}

async function ask(
  from: string,
  line: string,
  { body = "", port = rig.port } = {},
): Promise<string> {
  const connection = await open(from, port);
  connection.send(
    `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const answer = toAnswer(await connection.untilClosed());
  return answer.status < 400 ? String(answer.status) : readProblem(answer);
}

function isAnswered({ socket }: RawConnection): boolean {
  return socket.bytesRead > 0;
}

const toUnfinished = (line: string, length: number, begun: string) =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${begun}`;

test("bodies that do not arrive take no slot of pages, from their senders neither", async () => {
  await sendMany(SLOW, toUnfinished("POST /sign-in", 10, "x"));
  expect(await ask(FAST, "POST /sign-in", { body: "x" })).toBe("200");
  expect(await ask(SLOW, "POST /sign-in", { body: "x" })).toBe("200");
});

test("while pages are full, the network with the most of them is refused, and gives way to others", async () => {
  rig.answerPage = () => undefined;
  await sendMany(SLOW, "GET /silent HTTP/1.1\r\nHost: localhost\r\n\r\n", 256);
  await expect.poll(() => rig.received.length).toBe(256);
  rig.answerPage = (_request, response) => response.end("a page");
  expect(await ask(SLOW, "GET /overview")).toBe("503 overloaded");
  expect(await ask(FAST, "GET /overview")).toBe("200");
  expect(opened.slice(0, 256).filter(isAnswered)).toHaveLength(1);
});

test("bodies that are arriving share a budget of bytes, in which the largest network gives way", async () => {
  const part = "x".repeat(65_000);
  const senders = await sendMany(SLOW, toUnfinished("POST /sign-in", 65_536, part));
  await expect.poll(() => senders.filter(isAnswered).length).toBeGreaterThan(40);
  expect(await ask(FAST, "POST /sign-in", { body: part })).toBe("200");
  const answers = await Promise.all(senders.filter(isAnswered).map((each) => each.untilClosed()));
  expect(new Set(answers.map((each) => readProblem(toAnswer(each))))).toEqual(
    new Set(["503 overloaded"]),
  );
});

function toBulk({ apiKey }: TestIntegrator, body: string): string {
  return `POST /api/bulk HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n${body}`;
}

test("long bodies of the API share a budget of bytes, in which the largest integrator gives way", async () => {
  const [large, small] = await Promise.all([newIntegrator(), newIntegrator()]);
  const part = " ".repeat(1_040_000);
  const senders = await sendMany(FAST, toBulk(large, part), 70);
  await expect.poll(() => senders.filter(isAnswered).length).toBeGreaterThan(4);
  const other = await open(FAST);
  other.send(toBulk(small, `${part}{}`.padEnd(1_048_576)));
  expect(readProblem(toAnswer(await other.untilClosed()))).toBe("422 validation_failed");
  const answers = await Promise.all(senders.filter(isAnswered).map((each) => each.untilClosed()));
  expect(answers.length).toBeLessThan(10);
  expect(new Set(answers.map((each) => readProblem(toAnswer(each))))).toEqual(
    new Set(["503 overloaded"]),
  );
});

test("a full port closes the connection that has been idle the longest, of the network with the most", async () => {
  const small = await EdgeRig.start(20);
  const busy = await open(SLOW, small.port);
  small.answerPage = () => undefined;
  busy.send("GET /overview HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(() => small.received.length).toBe(1);
  const idle: RawConnection[] = [];
  for (let at = 0; at < 17; at += 1) {
    idle.push(await open(SLOW, small.port));
  }
  const other = await open(FAST, small.port);
  const another = await open("127.0.0.2", small.port);
  await expect.poll(() => countConnections(small)).toBe(20);
  small.answerPage = (_request, response) => response.end("a page");
  expect(await ask(FAST, "GET /api/health/live", { port: small.port })).toBe("200");
  expect(await ask("127.0.0.3", "GET /api/health/live", { port: small.port })).toBe("200");
  const [first] = idle;
  await first?.untilClosed();
  const stillOpen = [busy, other, another, ...idle.slice(2)].map(({ socket }) => socket.destroyed);
  expect(new Set(stillOpen)).toEqual(new Set([false]));
  small.stop();
});

function countConnections({ edge }: EdgeRig): Promise<number> {
  return new Promise((resolve, reject) => {
    edge.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
