import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { approvalIn, decide, newTwoPeople, reject } from "#test/scene/approvals.ts";
import type { TwoPeople } from "#test/scene/approvals.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";

/** With the role of the server, an attacker who can run any statement neither approves alone nor changes a decision. */

let server: postgres.Sql;
let mine: TwoPeople;
let waiting: string;
let approved: string;
let rejected: string;

beforeAll(async () => {
  server = postgres(testDatabase().directUrl, { max: 1, onnotice: () => undefined });
  mine = await newTwoPeople(1_000);
  const { id: cardId } = await newCard(mine);
  const ask = async () => {
    const body = { card_id: cardId, amount: 1_000, narrative: "For Lin" };
    const { headers } = mine.ada;
    return approvalIn(await call("PATCH /cards/credit/balance", { headers, body })).id;
  };
  [waiting, approved, rejected] = [await ask(), await ask(), await ask()];
  await decide(mine.noor, approved);
  await reject(mine.noor, rejected, "No");
  const { id } = await newCard(mine);
  const body = { card_id: id, amount: 5 };
  await call("PATCH /cards/credit/balance", { headers: mine.ada.headers, body });
});

afterAll(() => server.end());

async function attack(statement: string): Promise<string> {
  try {
    await server.begin(async (tx) => {
      await tx.unsafe(statement);
      await tx`set constraints all immediate`;
      throw new Error("accepted");
    });
    return "committed";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const setWaiting = (set: string) => attack(`update approvals set ${set} where id = '${waiting}'`);

const decided = (by: string, status = "approved") =>
  `status = '${status}', decider_id = '${by}', decided_by = '{}', decided_at = clock_timestamp()`;

describe("the database refuses", () => {
  test("an approval or a rejection by whoever asked, by nobody, and by who may not approve", async () => {
    expect(await setWaiting(decided(mine.ada.id))).toMatch(/approvals_two_people/u);
    expect(await setWaiting(decided(mine.ada.id, "rejected"))).toMatch(/approvals_two_people/u);
    expect(await setWaiting("status = 'approved', decided_at = clock_timestamp()")).toMatch(
      /approvals_(?:two_people|approver)/u,
    );
    expect(await setWaiting(decided(mine.kim.id))).toMatch(/approvals_approver/u);
    expect(await setWaiting(decided(newId()))).toMatch(/approvals_approver/u);
    expect(await setWaiting(decided(mine.noor.id))).toBe("accepted");
    expect(await setWaiting(decided(mine.noor.id, "canceled"))).toMatch(/approvals_own_end/u);
    expect(await setWaiting(decided(mine.ada.id, "canceled"))).toBe("accepted");
  });

  test("another request than the one that was made", async () => {
    const changes = [
      `requester_id = '${mine.kim.id}'`,
      "amount = 1",
      "operation = 'debitCard'",
      `target_id = '${newId()}'`,
      "request = request || '{\"amount\": 9}'",
      "requested_by = '{}'",
      "expires_at = expires_at + interval '1 day'",
      "idempotency_key = 'other'",
    ];
    for (const change of changes) {
      expect(await setWaiting(change)).toMatch(/approvals_asked/u);
      expect(await setWaiting(`${change}, ${decided(mine.noor.id)}`)).toMatch(/approvals_asked/u);
    }
  });

  test("a second decision, and one that is undone or changed", async () => {
    const again = [
      "status = 'waiting', decider_id = null, decided_by = null, decided_at = null",
      decided(mine.noor.id, "rejected"),
      `decider_id = '${mine.kim.id}'`,
      "decided_at = decided_at + interval '1 second'",
      'decided_by = \'{"name": "Other"}\'',
    ];
    for (const set of again) {
      expect(await attack(`update approvals set ${set} where id = '${approved}'`)).toMatch(
        /approvals_decided_once/u,
      );
    }
    expect(await attack(`update approvals set comment = 'Yes' where id = '${rejected}'`)).toMatch(
      /approvals_decided_once/u,
    );
    expect(
      await attack(`update approvals set request = null, comment = null where id = '${rejected}'`),
    ).toBe("accepted");
  });

  test("what was never asked for: an approval that begins decided, or is removed", async () => {
    const forged = `insert into approvals select c.* from approvals a cross join lateral
      jsonb_populate_record(a, '{"id": "${newId()}", "idempotency_key": null}') c where a.id = '${approved}'`;
    expect(await attack(forged)).toMatch(/approvals_begin/u);
    expect(await attack(`delete from approvals where id = '${waiting}'`)).toMatch(
      /append_only|permission denied/u,
    );
    expect(await attack("truncate approvals")).toMatch(/append_only|permission denied/u);
  });

  test("forgetting what a person has moved, within 24 hours", async () => {
    const of = `where integrator_id = '${mine.id}'`;
    expect(await attack(`update unapproved_moves set amount = 1 ${of}`)).toMatch(
      /unapproved_moves_kept/u,
    );
    expect(await attack(`delete from unapproved_moves ${of}`)).toMatch(/unapproved_moves_kept/u);
    expect(await attack("truncate unapproved_moves")).toMatch(/append_only|permission denied/u);
    const old = `insert into unapproved_moves (integrator_id, id, staff_id, amount, created_at)
      values ('${mine.id}', '${newId()}', '${mine.ada.id}', 5, now() - interval '2 days')`;
    expect(await attack(old)).toMatch(/unapproved_moves_now/u);
  });
});
