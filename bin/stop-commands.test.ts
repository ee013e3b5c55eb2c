import { hostname } from "node:os";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { listTold } from "#test/scene/told.ts";
import { runCommand } from "./floatdeck-cli.ts";
import type { CommandExit } from "./floatdeck-cli.ts";

function floatdeck(line: string): Promise<CommandExit> {
  return runCommand(line.split(" "), {
    DATABASE_URL: testDatabase().url,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
  });
}

/** What doctor says of changes. */
async function readFinding(): Promise<string> {
  const { out } = await floatdeck("doctor --egress-url http://127.0.0.1:1");
  return /^.*changes {2,}.*$/mu.exec(out)?.[0] ?? out;
}

test("a stopped integrator is listed and told so, and can change things again once it is started", async () => {
  const { id, apiKey: key } = await newIntegrator();
  const topUp = () => call("PATCH /card-integrators/top-up-float", { key, body: { amount: 1 } });
  const stopped = await floatdeck(`integrator stop ${id}`);
  expect(stopped).toMatchObject({
    code: 0,
    out: expect.stringContaining("has been stopped since"),
  });
  expect((await floatdeck(`integrator stop ${id}`)).out).toBe(stopped.out);
  expect(await topUp()).toMatchObject({ status: 403, json: { code: "account_stopped" } });
  const account = await call("GET /card-integrators/me", { key });
  expect(account.json).toMatchObject({ data: { stopped_at: expect.any(String) } });
  expect((await floatdeck("integrator list")).out).toMatch(new RegExp(`${id}.* stopped `, "u"));
  expect(await readFinding()).toContain(id);
  expect(await floatdeck(`integrator start ${id}`)).toMatchObject({ code: 0 });
  expect((await topUp()).status).toBe(200);
  expect((await listTold(id)).map(({ kind }) => kind)).toEqual([
    "spending.stopped",
    "spending.resumed",
  ]);
});

test("read-only is said by doctor and readiness, refuses other commands, and ends", async () => {
  const { id } = await newIntegrator();
  const on = await floatdeck("read-only on");
  expect(on).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      new RegExp(`^All changes have been stopped since \\S+Z by \\S+@${hostname()}\\. No`, "u"),
    ),
  });
  expect((await floatdeck("read-only on")).out).toBe(on.out);
  expect(await readFinding()).toMatch(
    /^warning +changes +All changes have been stopped since \S+ by \S+@/u,
  );
  const ready = await call("GET /health/ready");
  expect(ready.json).toMatchObject({ warnings: [expect.stringContaining("read-only off")] });
  expect(await floatdeck(`integrator suspend ${id}`)).toMatchObject({ code: 1, out: "" });
  expect(await floatdeck("read-only off")).toMatchObject({ code: 0 });
  expect(await readFinding()).toMatch(/^ok +changes +Changes are allowed/u);
  expect((await call("GET /health/ready")).json).toMatchObject({ warnings: [] });
  expect(await floatdeck(`integrator suspend ${id}`)).toMatchObject({ code: 0 });
});
