import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiCall } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";

const setZone = (by: Pick<ApiCall, "key" | "headers">, time_zone: unknown) =>
  call("PATCH /card-integrators/settings", { ...by, body: { time_zone } });

test("the time zone is UTC until it is set, under its current name", async () => {
  const { apiKey: key } = await newIntegrator();
  const before = await call("GET /card-integrators/me", { key });
  expect(before.json).toMatchObject({ data: { time_zone: "UTC" } });
  const set = await setZone({ key }, "Asia/Calcutta");
  expect(set).toMatchObject({ status: 200, json: { data: { time_zone: "Asia/Kolkata" } } });
});

test("a change is in the audit log with the person, and it is an event", async () => {
  const { id, apiKey: key } = await newIntegrator();
  const { json: start } = await call("GET /events?after=now", { key });
  const { next_cursor: cursor } = start as { next_cursor: string };
  const admin = await newStaff(id, "admin");
  const change = { before: { time_zone: "UTC" }, after: { time_zone: "Asia/Kathmandu" } };
  expect((await setZone({ headers: admin.headers }, "Asia/Kathmandu")).status).toBe(200);
  const log = await call("GET /audit-log?action=integrator.updated", { headers: admin.headers });
  expect(log.json).toMatchObject({ data: [{ ...change, actor: { id: admin.id } }] });
  const feed = await call(`GET /events?event=integrator.updated&after=${cursor}&wait=20`, { key });
  expect(feed.json).toMatchObject({ data: [{ data: change.after, previous: change.before }] });
});

test.each(["operator", "viewer"] as const)("the role %s may not change it", async (role) => {
  const { id } = await newIntegrator();
  const person = await newStaff(id, role);
  expect(await setZone({ headers: person.headers }, "Asia/Kolkata")).toMatchObject({
    status: 403,
    json: { code: "scope_missing" },
  });
});

test.each([null, "", "EST", "+05:30", "Mars/Olympus", "america/new_york", 5])(
  "%j is refused, and the error names the member and what is allowed",
  async (zone) => {
    const { apiKey: key } = await newIntegrator();
    const allowed =
      "This field must be UTC or the IANA name of a time zone, such as America/New_York.";
    expect(await setZone({ key }, zone)).toMatchObject({
      status: 422,
      json: { errors: { time_zone: [expect.stringContaining(allowed)] } },
    });
  },
);

test("a day in from and to is one in UTC, whatever the account's time zone", async () => {
  const integrator = await newIntegrator(1_000);
  const { apiKey: key } = integrator;
  const day = new Date().toISOString().slice(0, "2026-01-31".length);
  const list = async () =>
    (await call(`GET /card-integrators/float/entries?from=${day}&to=${day}`, { key })).json;
  const inUtc = await list();
  for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    await setZone({ key }, zone);
    expect(await list()).toEqual(inUtc);
  }
});

test("exports write times on the account's clocks, and the API in UTC", async () => {
  const integrator = await newIntegrator(1_000);
  const { apiKey: key } = integrator;
  await newCard(integrator, 100);
  const readTimes = async (path: string) =>
    (await call(`GET /exports/${path}`, { key })).text.match(/\d{4}-\d\d-\d\dT[^,\r]+/gu) ?? [];
  for (const path of ["cards", "transactions", "float-entries"]) {
    await setZone({ key }, "UTC");
    const inUtc = await readTimes(path);
    expect(inUtc.every((time) => time.endsWith("Z"))).toBe(true);
    await setZone({ key }, "Asia/Kolkata");
    const inZone = await readTimes(path);
    expect(inZone.length).toBeGreaterThan(0);
    expect(inZone.every((time) => time.endsWith("+05:30"))).toBe(true);
    expect(inZone.map((time) => Date.parse(time))).toEqual(inUtc.map((time) => Date.parse(time)));
  }
  const { json } = await call("GET /card-integrators/float", { key });
  expect(json).toMatchObject({ updated_at: expect.stringMatching(/Z$/u) });
});
