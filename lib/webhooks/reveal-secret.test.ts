import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, write } from "#test/scene/fixtures.ts";
import { secretOf } from "#test/outside/notifications.ts";
import { makeStale, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { auditLog, idempotentRequests } from "#db/schema/events.ts";
import { rotateSigningSecret } from "#lib/webhooks/endpoint-secret.ts";
import { newId } from "#lib/base/ids.ts";

const LINE = "POST /webhooks/reveal-secret";
const ROTATE = "POST /webhooks/rotate-secret";

const reveal = (by: TestStaff, line = LINE) =>
  call(line, { headers: { ...by.headers, "idempotency-key": newId() } });

test("the signing secret is shown to an owner of its account only, and is stored nowhere else", async () => {
  const mine = await newIntegrator();
  const stranger = await newIntegrator();
  await write(mine, rotateSigningSecret);
  await write(stranger, rotateSigningSecret);
  const owner = await newStaff(mine.id, "owner");
  const shown = await reveal(owner);
  expect(shown).toMatchObject({ status: 200, json: { data: { secret: await secretOf(mine) } } });
  expect(shown.text).not.toContain(await secretOf(stranger));
  const { db } = testDatabase();
  const kept = await db
    .select()
    .from(idempotentRequests)
    .where(eq(idempotentRequests.integratorId, mine.id));
  expect(kept).toEqual([]);
  const audited = await db
    .select({ action: auditLog.action, actor: auditLog.actor })
    .from(auditLog)
    .where(eq(auditLog.integratorId, mine.id));
  expect(audited).toContainEqual({
    action: "webhooks.secret-revealed",
    actor: expect.objectContaining({ type: "staff", id: owner.id }),
  });
});

test.each([LINE, ROTATE])(
  "an owner without a recent sign-in must reauthenticate first: %s",
  async (line) => {
    const mine = await newIntegrator();
    const owner = await newStaff(mine.id, "owner");
    await makeStale(owner);
    expect(await reveal(owner, line)).toMatchObject({
      status: 403,
      json: { code: "fresh_sign_in_required" },
    });
  },
);

test.each([
  ["admin", "role_insufficient"],
  ["operator", "scope_missing"],
  ["viewer", "scope_missing"],
] as const)("an %s is refused", async (role, code) => {
  const mine = await newIntegrator();
  await write(mine, rotateSigningSecret);
  const before = await secretOf(mine);
  for (const line of [LINE, ROTATE]) {
    const refused = await reveal(await newStaff(mine.id, role), line);
    expect(refused).toMatchObject({ status: 403, json: { code } });
    expect(refused.text).not.toContain("whsec_");
  }
  expect(await secretOf(mine)).toBe(before);
});

test("an API key is refused, whatever its scopes", async () => {
  const mine = await newIntegrator();
  expect(await call(LINE, { key: mine.apiKey })).toMatchObject({
    status: 403,
    json: { code: "scope_missing" },
  });
});

test("an owner with a recent sign-in, and a key, may rotate it", async () => {
  const mine = await newIntegrator();
  const owner = await newStaff(mine.id, "owner");
  for (const rotated of [await reveal(owner, ROTATE), await call(ROTATE, { key: mine.apiKey })]) {
    expect(rotated).toMatchObject({
      status: 200,
      json: { data: { secret: expect.stringMatching(/^whsec_/u) } },
    });
  }
});
