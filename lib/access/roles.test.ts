import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { SCOPES } from "#lib/base/actor.ts";
import { newId } from "#lib/base/ids.ts";
import { canAssign, roleDisabledReason, ROLES } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";

/** The permissions table of the design, repeated here: the code's own table would always agree with itself. */
const ALLOWED: Readonly<Record<string, readonly Role[]>> = {
  "cards:read": ["owner", "admin", "operator", "viewer"],
  "account:read": ["owner", "admin", "operator", "viewer"],
  "transactions:read": ["owner", "admin", "operator", "viewer"],
  "webhooks:read": ["owner", "admin", "operator", "viewer"],
  "audit:read": ["owner", "admin", "operator", "viewer"],
  "cards:write": ["owner", "admin", "operator"],
  "cards:freeze": ["owner", "admin", "operator"],
  "cards:lift": ["owner", "admin"],
  "cards:limits": ["owner", "admin", "operator"],
  "funds:write": ["owner", "admin", "operator"],
  "funds:approve": ["owner", "admin"],
  "sandbox:write": ["owner", "admin", "operator"],
  "cardholders:erase": ["owner"],
  "account:write": ["owner", "admin"],
  "webhooks:write": ["owner", "admin"],
  "keys:manage": ["owner", "admin"],
  "staff:manage": ["owner", "admin"],
  processor: [],
};

/** Operations for owners only, whatever the scope. A body that is wrong would be refused first. */
const OWNER_ONLY: ReadonlySet<string> = new Set(["revealWebhookSecret", "rotateWebhookSecret"]);

/** What an operation needs besides its scope, whatever its body is. */
const ALSO_NEEDS: Readonly<Record<string, string>> = { createBulkJob: "cards:freeze" };

const all: readonly Operation[] = OPERATIONS;
let mine: TestIntegrator;
const people = new Map<Role, TestStaff>();

beforeAll(async () => {
  mine = await newIntegrator(10_000);
  for (const role of ROLES) {
    people.set(role, await newStaff(mine.id, role));
  }
});

function headersOf(role: Role): Record<string, string> {
  return { ...people.get(role)?.headers };
}

function toExpected(id: string, scope: string, role: Role): RegExp {
  const needed = [scope, ALSO_NEEDS[id] ?? scope];
  if (!needed.every((each) => ALLOWED[each]?.includes(role))) {
    return /^403 scope_missing$/;
  }
  return OWNER_ONLY.has(id) && role !== "owner"
    ? /^403 role_insufficient$/
    : /^(?:200|202|404|409|422) /;
}

describe.each(ROLES)("a session of the role %s", (role) => {
  test.each(
    all
      .filter(({ scope }) => scope !== null)
      .map((operation) => [operation.id, String(operation.scope), operation] as const),
  )(
    "at %s, which needs %s, is allowed or refused as the table says",
    async (_id, scope, operation) => {
      const line = `${operation.method} ${operation.path.replace("{id}", newId())}`;
      const body = operation.body && !OWNER_ONLY.has(operation.id) ? { surplus: 1 } : undefined;
      const reply = await call(line, { headers: headersOf(role), body });
      // An export is not JSON.
      const code = (reply.json as { code?: string } | undefined)?.code ?? "";
      const outcome = `${reply.status} ${code}`;
      expect(outcome).toMatch(toExpected(operation.id, scope, role));
    },
  );
});

test("a viewer's credit moves nothing and is audited", async () => {
  const card = await newCard(mine, 100);
  const reply = await call("PATCH /cards/credit/balance", {
    headers: headersOf("viewer"),
    body: { card_id: card.id, amount: 50 },
  });
  expect(reply).toMatchObject({ status: 403, json: { code: "scope_missing" } });
  const after = await call(`GET /cards/${card.id}`, { key: mine.apiKey });
  expect(after.json).toMatchObject({ balance: 100 });
  const [row] = await testDatabase().db.execute(sql`
    select actor, action, after, address from audit_log
    where integrator_id = ${mine.id} and request_id = ${reply.headers.get("x-request-id")}`);
  expect(row).toEqual({
    actor: { type: "staff", id: people.get("viewer")?.id, name: "Kim viewer" },
    action: "creditCard.refused",
    after: { code: "scope_missing", detail: 'This needs the scope "funds:write".' },
    address: "127.0.0.1",
  });
});

test("an operator's credit moves the money and is attributed to them", async () => {
  const card = await newCard(mine);
  const reply = await call("PATCH /cards/credit/balance", {
    headers: headersOf("operator"),
    body: { card_id: card.id, amount: 50 },
  });
  expect(reply).toMatchObject({ status: 200, json: { balance: 50 } });
  const [row] = await testDatabase().db.execute(sql`
    select actor from audit_log
    where integrator_id = ${mine.id} and request_id = ${reply.headers.get("x-request-id")}`);
  expect(row).toMatchObject({ actor: { type: "staff", id: people.get("operator")?.id } });
});

test("a refused read is not an attempted change, so it is not in the audit log", async () => {
  const reply = await call("GET /staff", { headers: headersOf("viewer") });
  expect(reply.status).toBe(403);
  const rows = await testDatabase().db.execute(sql`
    select 1 from audit_log
    where integrator_id = ${mine.id} and request_id = ${reply.headers.get("x-request-id")}`);
  expect(rows).toHaveLength(0);
});

test("owners can assign every role, admins every role but owner, and the others none", () => {
  const able = ROLES.map((by) => ROLES.filter((role) => canAssign(by, role)));
  expect(able).toEqual([[...ROLES], ["admin", "operator", "viewer"], [], []]);
});

test.each(SCOPES)(
  "a page offers what needs %s to the roles that have it, and names them to the others",
  (scope) => {
    const allowed = ALLOWED[scope] ?? [];
    for (const role of ROLES) {
      const named = new Intl.ListFormat("en-US").format(allowed.map((each) => `${each}s`));
      const reason = allowed.includes(role) ? null : `Only ${named} can do this.`;
      expect(roleDisabledReason(role, scope)).toBe(reason);
    }
  },
);
