import { afterAll, beforeAll, expect, test } from "vitest";
import { exchangeRaw, RawConnection } from "#test/outside/raw-http.ts";
import { EdgeRig, readProblem } from "./edge-rig.ts";

let rig: EdgeRig;

beforeAll(async () => {
  rig = await EdgeRig.start();
});

afterAll(() => rig.stop());

const PLAIN = "This is not a valid HTTP/1.1 request.";

test.each([
  ["patch", "HTTP methods are case-sensitive: send PATCH, not patch."],
  ["Patch", "HTTP methods are case-sensitive: send PATCH, not Patch."],
  ["delete", "HTTP methods are case-sensitive: send DELETE, not delete."],
  ["PAtCH", "HTTP methods are case-sensitive: send PATCH, not PAtCH."],
  ["gEt", "HTTP methods are case-sensitive: send GET, not gEt."],
  ["NONSENSE", PLAIN],
  ["nonsense", PLAIN],
  ["constructor", PLAIN],
])("the method %s is refused with what is wrong with it", async (method, detail) => {
  const answer = await rig.ask(`${method} /api/cards/credit/balance`);
  expect(readProblem(answer)).toBe("400 request_malformed");
  expect(JSON.parse(answer.body)).toMatchObject({ detail });
});

test("so is one that follows another request on the connection", async () => {
  const first = "GET /api/health/live HTTP/1.1\r\nHost: own.example\r\n\r\n";
  const connection = await RawConnection.open(rig.port);
  connection.send(`${first}patch /api/cards HTTP/1.1\r\nHost: own.example\r\n\r\n`);
  const received = await connection.untilClosed();
  expect(received).toContain("HTTP/1.1 200");
  expect(received).toContain("send PATCH, not patch.");
});

test.each([
  ["what is no HTTP", "nonsense\r\n\r\n"],
  ["a request for a proxy", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"],
])("%s is answered, and its connection closed, however much follows", async (_, line) => {
  const connection = await RawConnection.open(rig.port);
  connection.send(line + "x".repeat(2_000_000));
  expect(await connection.until("request_malformed")).toMatch(/^HTTP\/1\.1 400 /u);
  await connection.untilClosed();
  const left = () =>
    new Promise((resolve, reject) => {
      rig.edge.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  await expect.poll(left).toBe(0);
});

test("a target in lower case behind a method that is right is no method", async () => {
  const answer = await exchangeRaw(rig.port, "PATCH patch\r\n\r\n");
  expect(JSON.parse(answer.body)).toMatchObject({ detail: PLAIN });
});
