import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PROXIES } from "./proxies.ts";
import type { Proxy } from "./haproxy.ts";

/**
 * Which requests a proxy of docs/deploy sends to the other server after one has taken them and gone away without an answer.
 * The servers here do nothing else: a real one that is killed rarely dies between its commit and its answer.
 */

const LOST = "/cards/credit/balance?note=a%2Fb";
const KEY = { "Idempotency-Key": "payday-2026-11" };

let received: number;
let servers: Server[];
let proxy: Proxy;

/** Is healthy, and reads what comes to `LOST` before it closes the connection. */
async function startLosing(): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== `/api${LOST}`) {
      response.end("{}");
      return;
    }
    received += 1;
    request.resume().once("end", () => request.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

beforeAll(async () => {
  servers = await Promise.all([startLosing(), startLosing()]);
});

beforeEach(() => {
  received = 0;
});

afterAll(() => servers.forEach((server) => server.close()));

for (const { name, isInstalled, start } of PROXIES) {
  describe.skipIf(!isInstalled)(`behind ${name}`, () => {
    beforeAll(async () => {
      const [first = "", second = ""] = servers.map(
        (server) => `127.0.0.1:${(server.address() as AddressInfo).port}`,
      );
      proxy = await start(first, second);
    });

    beforeEach(() => proxy.untilAllUp());

    afterAll(() => proxy.stop());

    test.each([
      { method: "PATCH", headers: {}, body: "{}", times: 1 },
      { method: "POST", headers: {}, body: "{}", times: 1 },
      { method: "PATCH", headers: KEY, body: "{}", times: 2 },
      { method: "POST", headers: KEY, body: "{}", times: 2 },
      { method: "GET", headers: {}, body: null, times: 2 },
    ])("$method with $headers reaches $times of 2 servers", async ({ times, ...request }) => {
      // HAProxy closes a connection that has had a response before without another one.
      const answer = await fetch(`${proxy.baseUrl}${LOST}`, request).catch(() => undefined);
      const { code } = (await answer?.json()) ?? { code: "none" };
      expect(["none", "outcome_unknown"]).toContain(code);
      expect(received).toBe(times);
    });
  });
}
