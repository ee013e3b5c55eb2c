import type { Db } from "#db/client.ts";
import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { prepareExample } from "#test/scene/examples.ts";
import { move, newOrigin } from "#test/scene/fixtures.ts";
import { newTenant } from "#test/scene/tenant.ts";
import type { Tenant } from "#test/scene/tenant.ts";
import { log } from "#lib/base/log.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { declaredErrors } from "#lib/operations/refusals.ts";
import { beginReadOnly, endReadOnly } from "#lib/operator/read-only.ts";
import { startIntegrator, stopIntegrator } from "#lib/operator/suspension.ts";

/**
 * Every operation under each of the operator's stops: what may change something is refused and succeeds when it is repeated
 * afterward, and everything else works.
 */

interface Stop {
  code: "read_only" | "account_stopped";
  begin(): Promise<unknown>;
  end(): Promise<void>;
}

vi.spyOn(log, "warn").mockImplementation(() => undefined);

let db: Db;
let tenant: Tenant;

beforeAll(async () => {
  ({ db } = testDatabase());
  tenant = await newTenant();
  await move(tenant, { kind: "top-up", amount: 1_000_000 });
  // As a server does when it starts.
  await db.execute(sql`
    insert into installation (id, environment, secret_check) values ('installation', 'sandbox', '') on conflict do nothing`);
});

/** No account can be stopped while everything is. */
const STOPS: readonly Stop[] = [
  {
    code: "account_stopped",
    begin: () => stopIntegrator(db, { request: newOrigin(), id: tenant.id }),
    end: () => startIntegrator(db, { request: newOrigin(), id: tenant.id }),
  },
  { code: "read_only", begin: () => beginReadOnly(db, "mei@app-1"), end: () => endReadOnly(db) },
];

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  "%s",
  async (_id, operation) => {
    for (const example of operation.examples) {
      const send = await prepareExample(tenant, operation, example);
      expect(await sendWhileStopped(operation, send)).toMatchObject({ status: operation.status });
    }
  },
);

/**
 * Sends an example under each stop that must refuse it, and again under those that must not.
 * @returns the last answer.
 */
async function sendWhileStopped(
  operation: Operation,
  send: () => Promise<ApiReply>,
): Promise<ApiReply> {
  const refusing = STOPS.filter(({ code }) => declaredErrors(operation).has(code));
  for (const { code, begin, end } of refusing) {
    await begin();
    const before = await readTraces();
    const { refused, after } = await sendRefused(send).finally(end);
    expect(refused.json).toMatchObject({ code });
    expect(refused.headers.has("retry-after")).toBe(code === "read_only");
    expect(after).toEqual(before);
  }
  const going = STOPS.filter((stop) => !refusing.includes(stop));
  for (const { begin } of going) {
    await begin();
  }
  const answered = await send();
  for (const { end } of going.toReversed()) {
    await end();
  }
  return answered;
}

async function sendRefused(send: () => Promise<ApiReply>) {
  const refused = await send();
  return { refused, after: await readTraces() };
}

/** Leave out the rows that record a refusal. */
const WITHOUT_REFUSALS: Readonly<Record<string, SQL>> = {
  api_log: sql`where false`,
  audit_log: sql`where action not like '%refused'`,
};

/** A hash of each table. */
async function readTraces(): Promise<unknown> {
  const tables = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`);
  const hashes = tables.map(
    ({ name }) => sql`
      select ${name} as name, md5(string_agg(row::text, '' order by row::text)) as rows
      from (select to_jsonb(t) as row from ${sql.identifier(name)} t ${WITHOUT_REFUSALS[name] ?? sql``}) traced`,
  );
  return db.execute(sql.join(hashes, sql` union all `));
}

/** The operations that go on under a stop, besides reads; the card network's by their kind. */
function listGoing(code: Stop["code"]): string[] {
  return OPERATIONS.filter(
    (operation) => operation.kind !== "read" && !declaredErrors(operation).has(code),
  ).map(({ id, kind }) => (kind === "processor" ? kind : id));
}

test("only what changes nothing, and what the card network sends to a stopped account, goes on", () => {
  const harmless = OPERATIONS.filter(
    ({ kind, method, id }) => kind === "public" && (method === "GET" || id === "readLink"),
  ).map(({ id }) => id);
  expect(listGoing("read_only")).toEqual(harmless);
  expect(new Set(listGoing("account_stopped"))).toEqual(
    new Set([
      ...harmless,
      "processor",
      "registerIntegrator",
      "acceptInvitation",
      "forgotPassword",
      "resetPassword",
    ]),
  );
});
