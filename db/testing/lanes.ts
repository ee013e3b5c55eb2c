import postgres from "postgres";
import { expect } from "vitest";
import { BATCH_MAX, WAITING_MAX } from "#lib/ledger/lane.ts";
import { log } from "#lib/log.ts";
import type { ApiReply } from "./api-client.ts";
import { testDatabase } from "./database.ts";

/** Narratives that the database itself refuses: at once, and only when the transaction commits. */
export const POISON = "poison";
export const LATE_POISON = "late poison";

/** Has the database refuse transactions with these narratives; what the server says about that is no news. */
export async function refusePoison(): Promise<void> {
  log.level = "silent";
  const owner = connect();
  await owner.unsafe(`
    create function refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'poisoned'; end $$;
    create trigger poison before insert on transactions
      for each row when (new.narrative = '${POISON}') execute function refuse_poison();
    create constraint trigger late_poison after insert on transactions deferrable initially deferred
      for each row when (new.narrative = '${LATE_POISON}') execute function refuse_poison();`);
  await owner.end();
}

/** Has every batch that needs this account wait until it is let go. */
export async function holdAccount(accountId: string): Promise<() => void> {
  const owner = connect();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
  const holding = owner.begin(async (tx) => {
    await tx`select 1 from ledger_accounts where id = ${accountId} for update`;
    hold();
    await free;
  });
  void holding.finally(() => owner.end());
  await held;
  return letGo;
}

/**
 * Sends more requests about a card than its lane takes while nothing moves, and lets them go when the first one is told to
 * come back; how many were served. All others must have been told so, by a code and a time.
 */
export async function overload(cardId: string, send: () => Promise<ApiReply>): Promise<number> {
  const sent = WAITING_MAX + BATCH_MAX + 50;
  const letGo = await holdAccount(cardId);
  const replies = await Promise.all(
    Array.from({ length: sent }, async () => {
      const reply = await send();
      if (reply.status === 503) {
        letGo();
      }
      return reply;
    }),
  );
  const overloaded = replies.filter(({ status }) => status === 503);
  expect(overloaded.length).toBeGreaterThan(0);
  for (const reply of overloaded) {
    expect(reply.json).toMatchObject({ code: "overloaded" });
    expect(reply.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/u);
  }
  const served = replies.filter(({ status }) => status === 200).length;
  expect(served).toBe(sent - overloaded.length);
  return served;
}

/** How many transactions of the database wrote events of this kind for an integrator. */
export async function countCommits(integratorId: string, event: string): Promise<number> {
  const owner = connect();
  const [row] = await owner`
    select count(distinct xid)::int as commits from events
    where integrator_id = ${integratorId} and event like ${event}`;
  await owner.end();
  return Number(row?.["commits"]);
}

function connect() {
  return postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
}
