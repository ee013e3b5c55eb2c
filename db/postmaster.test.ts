import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { findFreePort } from "./postmaster.ts";

const DRAWN = 100;
/** Of Linux; others begin higher. */
const LOWEST_OUTGOING = 32_768;

test("a free port is none that the system may give to a connection before anybody listens at it", async () => {
  const ports = await Promise.all(Array.from({ length: DRAWN }, () => findFreePort()));
  expect(Math.max(...ports)).toBeLessThan(LOWEST_OUTGOING);
  expect(new Set(ports).size).toBeGreaterThan(DRAWN / 2);
});

test("the preferred port is kept while it is free", async () => {
  const preferred = await findFreePort();
  expect(await findFreePort(preferred)).toBe(preferred);
  const taken = createServer().listen(preferred, "127.0.0.1");
  await once(taken, "listening");
  expect(await findFreePort(preferred)).not.toBe(preferred);
  taken.close();
});
