import type { Sql } from "postgres";
import { readCover } from "./cover.ts";
import type { History, Recorded } from "./history.ts";
import { isAcknowledged, isDeclined } from "./history.ts";

/** What the balances must be, by what was acknowledged. */

/** What each integrator's float got when it was created, in minor units. */
const FLOAT_AT_START = 1_000_000;

/** How each acknowledged request changes its card and the float, by its amount. */
const EFFECTS: Readonly<Record<string, { card: number; float: number }>> = {
  credit: { card: 1, float: -1 },
  top_up_card: { card: 1, float: -1 },
  debit: { card: -1, float: 1 },
  "top-up": { card: 0, float: 1 },
  funding: { card: 0, float: 1 },
  deduct: { card: -1, float: 0 },
  capture: { card: -1, float: 0 },
  network_capture: { card: -1, float: 0 },
  posting: { card: -1, float: 0 },
  network_posting: { card: -1, float: 0 },
  refund: { card: 1, float: 0 },
  "deduct-reversal": { card: 1, float: 0 },
  network_refund: { card: 1, float: 0 },
  network_purchase_taken_back: { card: 1, float: 0 },
  network_refund_taken_back: { card: -1, float: 0 },
};

export async function checkBalances(history: History, sql: Sql): Promise<string[]> {
  const { integratorIds } = history;
  const expected = await readExpected(history, sql);
  const rows = await sql<{ owner: string; kind: string; balance: number }[]>`
    select case when kind = 'float' then integrator_id else id end as owner, kind, balance::float8 as balance
    from ledger_accounts where integrator_id = any(${integratorIds}::uuid[]) and kind in ('card', 'float')`;
  return rows
    .filter(({ owner, balance }) => balance !== (expected.get(owner) ?? 0))
    .map(
      ({ owner, kind, balance }) =>
        `the ${kind} of ${owner} has ${balance} instead of ${expected.get(owner) ?? 0}`,
    );
}

/** What each card and float must have, by what was acknowledged. */
async function readExpected(
  { requests, integratorIds }: History,
  sql: Sql,
): Promise<Map<string, number>> {
  const expected = new Map(integratorIds.map((id) => [id, FLOAT_AT_START]));
  for (const each of requests.filter((one) => isAcknowledged(one) && !isDeclined(one))) {
    const { card, float } = EFFECTS[each.operation] ?? { card: 0, float: 0 };
    const { amount, cardId } = { amount: each.amount ?? 0, cardId: each.cardId ?? "" };
    add(expected, cardId, card * amount);
    add(expected, each.integratorId, float * amount);
  }
  for (const { owner, amount } of await readCover(integratorIds, sql)) {
    add(expected, owner, amount);
  }
  const acknowledged = requests.filter(isAcknowledged);
  for (const { data, integratorId } of acknowledged.filter(isReplacement)) {
    const moved = Number(data["balance"]);
    add(expected, String(data["id"]), moved);
    add(expected, integratorId, -moved);
  }
  const closes = acknowledged.filter(
    (each) => each.operation === "closeCard" || isReplacement(each),
  );
  empty(expected, closes, await readHeld(integratorIds, sql));
  return expected;
}

function isReplacement({ operation }: Recorded): boolean {
  return operation === "replaceCard";
}

/** What a closed card does not hold goes to the float, whatever the order of its closing and of the rest. */
function empty(
  expected: Map<string, number>,
  closes: readonly Recorded[],
  held: ReadonlyMap<string, number>,
): void {
  for (const { cardId, integratorId } of closes) {
    const kept = held.get(cardId ?? "") ?? 0;
    add(expected, integratorId, (expected.get(cardId ?? "") ?? 0) - kept);
    expected.set(cardId ?? "", kept);
  }
}

/** What open authorizations hold, by card. */
async function readHeld(integratorIds: readonly string[], sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<{ card: string; held: number }[]>`
    select card_id as card, sum(hold_amount - hold_captured - hold_released)::float8 as held from transactions
    where integrator_id = any(${integratorIds}::uuid[]) and hold_amount is not null group by card_id`;
  return new Map(rows.map(({ card, held }) => [card, held]));
}

/** Adds to one of several sums. */
export function add(sums: Map<string, number>, id: string, amount: number): void {
  sums.set(id, (sums.get(id) ?? 0) + amount);
}
