import { beforeEach, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { readAudit } from "#test/scene/recorded-events.ts";
import { newStaff } from "#test/scene/staff.ts";

beforeEach(() => openCardAccount(1_000, 100));

const REFUSED = {
  status: 422,
  json: {
    code: "reason_required",
    errors: { reason: ["This account requires a reason for each freeze."] },
  },
};

const ask = (line: string, body: object = {}) => call(line, { key: integrator.apiKey, body });
const freeze = (body: object = {}) => ask(`PATCH /cards/${cardId}/freeze`, body);
const requireReasons = (isRequired: boolean) =>
  ask("PATCH /card-integrators/settings", { freeze_reason_required: isRequired });

test("an account may require a reason of everyone, for one card as for many", async () => {
  await requireReasons(true);
  const { headers } = await newStaff(integrator.id, "owner");
  const items = [{ card_id: cardId }];
  expect(await freeze()).toMatchObject(REFUSED);
  expect(await freeze({ level: "compliance" })).toMatchObject(REFUSED);
  expect(await call(`PATCH /cards/${cardId}/freeze`, { headers, body: {} })).toMatchObject(REFUSED);
  expect(await ask("POST /bulk", { operation: "freeze", items })).toMatchObject(REFUSED);
  expect(await ask("POST /bulk", { operation: "freeze", filter: {} })).toMatchObject(REFUSED);
  expect(await ask("POST /bulk", { operation: "close", check: true, items })).toMatchObject({
    status: 202,
  });
  const { json } = await call(`GET /cards/${cardId}`, { key: integrator.apiKey });
  expect(json).toMatchObject({ status: "active", freezes: [] });
  expect(await freeze({ reason: "lost" })).toMatchObject({ status: 200 });
});

test("a freeze that has a reason changes its end without another one, and one from before gets its reason later", async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await freeze({ level: "staff" });
  await requireReasons(true);
  expect(await freeze({ level: "staff" })).toMatchObject({ status: 200 });
  expect(await freeze({ level: "staff", until })).toMatchObject(REFUSED);
  expect(await freeze({ level: "staff", reason: "stolen" })).toMatchObject({
    status: 200,
    json: { freeze: { reason: "stolen" } },
  });
  expect(await freeze({ level: "staff", until })).toMatchObject({
    status: 200,
    json: { freeze: { reason: "stolen", until } },
  });
});

test("nothing is required unless an account asks for it, and each change of that is in the audit log", async () => {
  await requireReasons(true);
  await requireReasons(false);
  expect(await freeze()).toMatchObject({ status: 200, json: { freeze: { reason: null } } });
  const changes = await readAudit(integrator, { targetId: integrator.id });
  expect(changes.at(-1)).toMatchObject({
    before: { freeze_reason_required: true },
    after: { freeze_reason_required: false },
  });
});
