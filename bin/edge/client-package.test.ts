import { afterAll, beforeAll, expect, test } from "vitest";
import { EdgeRig, readProblem } from "./edge-rig.ts";

let rig: EdgeRig;

beforeAll(async () => {
  rig = await EdgeRig.start();
});

afterAll(() => rig.stop());

/** The path of the current package, from the address that the server names. */
async function readPath(): Promise<string> {
  const { status, body } = await rig.ask("GET /client");
  expect(status).toBe(200);
  return new URL(body.trim()).pathname;
}

test("/client names the address of the package, which may be kept forever", async () => {
  const path = await readPath();
  expect(path).toMatch(/^\/client-[0-9.]+-[0-9a-f]{16}\.tgz$/u);
  const { status, headers } = await rig.ask(`GET ${path}`);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/gzip");
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await rig.ask(`HEAD ${path}`)).status).toBe(200);
  expect(rig.received).toEqual([]);
});

test("a package with other bytes is unknown, and the answer names the one that is here", async () => {
  const answer = await rig.ask("GET /client-0.5.0-0123456789abcdef.tgz");
  expect(readProblem(answer)).toBe("404 path_unknown");
  expect(answer.body).toContain(await readPath());
});

test("the package can only be read", async () => {
  const answer = await rig.ask("POST /client");
  expect(readProblem(answer)).toBe("405 method_not_allowed");
  expect(answer.headers.get("allow")).toBe("GET, HEAD");
});
