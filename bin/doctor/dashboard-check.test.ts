import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { readEnv } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { findFreePort } from "#db/postmaster.ts";
import { EdgeRig } from "../edge/edge-rig.ts";
import { checkDashboard } from "./host-checks.ts";
import type { Finding } from "./finding.ts";

let rig: EdgeRig;

vi.spyOn(log, "warn").mockImplementation(() => undefined);

beforeAll(async () => {
  rig = await EdgeRig.start();
});

afterEach(() => rig.reset());

afterAll(() => rig.stop());

function examine(port: number): Promise<Finding> {
  return checkDashboard(readEnv({ PORT: String(port), PUBLIC_URL: "http://localhost" }));
}

test("a dashboard that answers is in order, and is asked for by its public name", async () => {
  expect(await examine(rig.port)).toMatchObject({ status: "ok" });
  expect(rig.received.map(({ headers }) => headers.host)).toEqual(["localhost"]);
});

test("a dashboard that is down while the API answers is a problem", async () => {
  rig.isRunning = false;
  expect(await examine(rig.port)).toMatchObject({
    status: "problem",
    detail: `The dashboard does not work: http://127.0.0.1:${rig.port}/sign-in answers 503.`,
  });
});

test("a server that ends the connection is a problem", async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const { status, detail } = await examine(port);
  server.close();
  expect(status).toBe("problem");
  expect(detail).toContain(`${port}/sign-in does not answer: `);
});

test("no server on this machine is in order", async () => {
  expect(await examine(await findFreePort())).toMatchObject({
    status: "ok",
    detail: expect.stringMatching(/^No server runs on this machine: nothing listens at /u),
  });
});
