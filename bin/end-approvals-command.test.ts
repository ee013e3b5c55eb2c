import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { approvalIn, asPerson, creditBy, decide, newTwoPeople } from "#test/scene/approvals.ts";
import { newCard } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";
import { runCommand } from "./floatdeck-cli.ts";

function endApprovals(id: string) {
  return runCommand(["integrator", "end-approvals", id], {
    DATABASE_URL: testDatabase().url,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
  });
}

test("from then on one person moves funds alone, and what waits can still be decided", async () => {
  const account = await newTwoPeople(1_000);
  const { ada, noor } = account;
  const { id: cardId } = await newCard(account);
  const held = await creditBy(asPerson(ada), cardId, 1_000);
  expect(held.status).toBe(202);
  expect(await endApprovals(account.id)).toMatchObject({
    code: 0,
    out: `Moves of integrator ${account.id} need no second person.\n`,
  });
  expect((await creditBy(asPerson(ada), cardId, 1_000)).status).toBe(200);
  expect((await decide(noor, approvalIn(held).id, "approve")).status).toBe(200);
});

test("an integrator that does not exist is a clear failure", async () => {
  for (const id of [newId(), "x"]) {
    const { code, err } = await endApprovals(id);
    expect({ code, err }).toEqual({ code: 1, err: "floatdeck: There is no such integrator.\n" });
  }
});
