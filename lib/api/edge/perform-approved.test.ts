import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { prepareExample } from "#test/scene/examples.ts";
import type { ExampleAccount } from "#test/scene/example-scene.ts";
import { newIntegrator, write } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { APPROVABLE } from "#lib/api/edge/perform-approved.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { toApprovalWords, UNKNOWN_WORDS } from "#lib/messages/approval-words.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

const toIds = (operations: readonly { id: string }[]) => operations.map(({ id }) => id).toSorted();

test("every operation that declares approval can be performed once it is approved, and has words", () => {
  const declared = OPERATIONS.filter(({ approval }) => approval !== null);
  expect(toIds(APPROVABLE)).toEqual(toIds(declared));
  expect(declared.map(({ id }) => toApprovalWords(id))).not.toContain(UNKNOWN_WORDS);
});

/** What no account's approval rule stops: the second person's own operations, and the simulated card network's. */
const OTHERS = new Set(["approveApproval", "mockTransaction"]);

const SENT = OPERATIONS.filter(
  ({ id, kind }) => (kind === "write" || kind === "funds") && !OTHERS.has(id),
);

let account: ExampleAccount;

beforeAll(async () => {
  const integrator = await newIntegrator(1_000_000);
  account = { ...integrator, owner: await newStaff(integrator.id, "owner") };
  await write(integrator, (ctx) =>
    updateAccount(ctx, { webhookUrl: "https://hooks.example.com/" }),
  );
});

function setRule(rule: string, since: string) {
  return testDatabase().db.execute(sql`
    update integrators set approval = ${sql.raw(rule)}, approval_since = ${sql.raw(since)} where id = ${account.id}`);
}

async function balances(): Promise<unknown> {
  return testDatabase().db.execute(sql`
    select id, balance from ledger_accounts where integrator_id = ${account.id} and balance <> 0 order by id`);
}

test.each(SENT.map((operation) => [operation.id, operation] as const))(
  "%s moves nothing by one person or their key where everything needs a second one",
  async (_, operation) => {
    for (const example of operation.examples) {
      const send = await prepareExample(account, operation, example);
      const before = await balances();
      await setRule(`'{"threshold": 1, "for_keys": true}'`, "now()");
      const reply = await send();
      await setRule("null", "null");
      expect(await balances()).toEqual(before);
      expect([operation.status, 202]).toContain(reply.status);
    }
  },
);
