import postgres from "postgres";
import { expect } from "vitest";
import type { Answer } from "#lib/api/wire/answer.ts";
import { WAITING_MAX } from "#lib/api/commit/internal/queue.ts";
import { log } from "#lib/base/log.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "./database.ts";

/** Narratives that the database refuses: one immediately, one at commit. */
export const POISON = "poison";
export const LATE_POISON = "late poison";

/** Makes the database refuse transactions with these narratives, and silences the server's log about it. */
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

/** Locks an account, so that every batch that needs it waits. @returns the function that releases it. */
export async function holdAccount(accountId: string): Promise<() => void> {
  const owner = connect();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  const holding = owner.begin(async (tx) => {
    await tx`select 1 from ledger_accounts where id = ${accountId} for update`;
    hold();
    await free;
  });
  void holding.finally(() => owner.end());
  await held;
  return release;
}

/**
 * Fills a card's commit queue while its batch in flight is blocked, then sends further requests through the API and unblocks
 * the batch. The queue is filled directly: through the API, on a slow machine, waiting requests would time out first. Every
 * request sent through the API must be refused with `overloaded` and a `Retry-After`, and every other one must succeed.
 * @returns how many were refused.
 */
export async function overload(
  cardId: string,
  { fill, sent }: { fill: () => Promise<Answer>; sent: readonly (() => Promise<ApiReply>)[] },
): Promise<number> {
  const release = await holdAccount(cardId);
  // The first request is the batch in flight; behind it, the queue is full.
  const waiting = Promise.all(Array.from({ length: 1 + WAITING_MAX }, fill));
  const refused = await Promise.all(sent.map((send) => send())).finally(release);
  for (const reply of refused) {
    expect(reply).toMatchObject({ status: 503, json: { code: "overloaded" } });
    expect(reply.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/u);
  }
  const served = await waiting;
  expect(served.filter(({ status }) => status !== 200)).toEqual([]);
  return served.length;
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
