import postgres from "postgres";
import type { Sql } from "postgres";
import type { History, Recorded } from "./history.ts";
import {
  QUESTIONS,
  SPENDS,
  describe,
  isAcknowledged,
  isDeclined,
  toAnswerText,
} from "./history.ts";
import { add, checkBalances } from "./balance-rules.ts";
import { checkCloses, checkFreezes, checkRevokedKeys } from "./order-rules.ts";
import { checkTraces } from "./trace-rules.ts";

/**
 * Compares what callers and receivers saw with what the database holds, and says where they differ. It knows the wire
 * contract and the tables, and shares no code with the product: a mistake there cannot hide itself here.
 */

/** One fault makes many differences. These are enough to see which. */
const SHOWN_MAX = 5;

type Rule = (history: History, sql: Sql) => Promise<string[]> | string[];

/** The guarantees, each with the places where a run broke it. */
const RULES: Readonly<Record<string, Rule>> = {
  "every request is answered, and none with an internal error": ({ requests }) =>
    requests
      .filter(({ status }) => status === 0 || status === 500)
      .map((each) => `${describe(each)} was answered ${each.status || "never"}`),
  "a repeat gets the first answer": ({ requests }) =>
    requests
      .filter((each) => each.repeated !== null && each.repeated !== toAnswerText(each))
      .map((each) => `${describe(each)} was answered ${toAnswerText(each)}, then ${each.repeated}`),
  "every acknowledged fund movement is there once": checkMoves,
  "nothing that was refused, and nothing unrequested, moved money": checkRefused,
  "every acknowledged transaction is there": checkTransactions,
  "no purchase is there that nobody was answered": checkUnanswered,
  "every balance is explained by the acknowledged requests": checkBalances,
  "sequences have no gaps": checkSequences,
  "every acknowledged change has its event": checkEvents,
  "every event was delivered": checkDelivered,
  "every notification is signed with a secret of its integrator": ({ badSignatures }) =>
    badSignatures,
  "every acknowledged change is recorded once, as what it was, and no other is": checkTraces,
  "a read shows what was acknowledged before it": ({ staleReads }) => staleReads,
  "what was acknowledged can be worked with": ({ interrupted }) => interrupted,
  "readers always see the same total": ({ wrongTotals }) => wrongTotals,
  "nothing is approved after a freeze was answered": checkFreezes,
  "nothing is approved after a card was closed": checkCloses,
  "a revoked key is refused, at once where it was revoked and everywhere within five seconds":
    checkRevokedKeys,
};

/** @returns one line for each difference, at most five for each guarantee; none when all of them held. */
export async function checkHistory(history: History, ownerUrl: string): Promise<string[]> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const lines: string[] = [];
    for (const [promise, rule] of Object.entries(RULES)) {
      const found = await rule(history, sql);
      const more = found.length > SHOWN_MAX ? [`and ${found.length - SHOWN_MAX} more`] : [];
      const shown = [...found.slice(0, SHOWN_MAX), ...more];
      lines.push(...shown.map((line) => `${promise}: ${line}`));
    }
    return lines;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** How many acknowledged changes are not there, and how many are there besides one for each of them. */
export async function countEffects(
  history: History,
  ownerUrl: string,
): Promise<{ lost: number; twice: number }> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const [moved, spent] = [await readMoved(history, sql), await readSpent(history, sql)];
    const acknowledged = history.requests.filter(isAcknowledged);
    const keys = new Set(acknowledged.map(({ key }) => key));
    const answers = readAnswers(history);
    const lostMoves = acknowledged.filter(
      ({ operation, key }) => MOVES.has(operation) && !moved.has(key),
    );
    const extraMoves = [...moved].map(([key, { length }]) => length - (keys.has(key) ? 1 : 0));
    return {
      lost: lostMoves.length + [...answers.keys()].filter((id) => !spent.has(id)).length,
      twice:
        extraMoves.reduce((sum, extra) => sum + extra, 0) +
        [...spent].filter((id) => !answers.has(id)).length,
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const MOVES = new Set(["credit", "debit", "top-up", "top_up_card"]);

async function checkMoves(history: History, sql: Sql): Promise<string[]> {
  const moved = await readMoved(history, sql);
  return history.requests
    .filter((each) => MOVES.has(each.operation) && isAcknowledged(each))
    .flatMap((each) => {
      const amounts = moved.get(each.key) ?? [];
      return amounts.length === 1 && amounts[0] === each.amount
        ? []
        : [
            `${describe(each)} of ${each.amount} was acknowledged, and moved ${amounts.join(" and ") || "nothing"}`,
          ];
    });
}

async function checkRefused(history: History, sql: Sql): Promise<string[]> {
  const moved = await readMoved(history, sql);
  const allowed = new Set(history.requests.filter(isAcknowledged).map(({ key }) => key));
  return [...moved.keys()]
    .filter((key) => !allowed.has(key))
    .map((key) => `${key} moved ${moved.get(key)?.join(" and ")} unacknowledged`);
}

/** A transfer has a hash in the place of its key. */
async function readMoved(
  { integratorIds, requests }: History,
  sql: Sql,
): Promise<Map<string, number[]>> {
  const rows = await sql<{ key: string; amount: number }[]>`
    select coalesce(sent.key, idempotency_key) as key, amount::float8 as amount
    from transfers
    left join (
      select distinct key, left(encode(sha256(convert_to(integrator || ' ' || key, 'UTF8')), 'hex'), 32) as name
      from unnest(
        ${requests.map(({ integratorId }) => integratorId)}::text[],
        ${requests.map(({ key }) => key)}::text[]
      ) as request (integrator, key)
    ) sent on sent.name = idempotency_key
    where integrator_id = any(${integratorIds}::uuid[]) and idempotency_key is not null`;
  const moved = new Map<string, number[]>();
  for (const { key, amount } of rows) {
    moved.set(key, [...(moved.get(key) ?? []), amount]);
  }
  return moved;
}

async function checkTransactions(history: History, sql: Sql): Promise<string[]> {
  const spent = await readSpent(history, sql);
  const answers = readAnswers(history);
  return [
    ...[...answers]
      .filter(([id]) => !spent.has(id))
      .flatMap(([id, requests]) => requests.map((each) => ({ id, each })))
      .map(({ id, each }) => `${describe(each)} was answered with ${id}, which is not there`),
    ...[...answers]
      .filter(([, { length }]) => length > 1)
      .map(([id, { length }]) => `${length} requests were answered with ${id}`),
  ];
}

async function checkUnanswered(history: History, sql: Sql): Promise<string[]> {
  const answers = readAnswers(history);
  return [...(await readSpent(history, sql))]
    .filter((id) => !answers.has(id))
    .map((id) => `${id} is the answer to no request`);
}

/** Requests whose answer is a transaction of its own, or its id. */
const BUYS: ReadonlySet<string> = new Set([...SPENDS, "posting", "network_posting"]);

/** The transactions that acknowledged requests were answered with, and these requests. */
function readAnswers({ requests }: History): Map<string, Recorded[]> {
  const answered = requests.filter((each) => BUYS.has(each.operation) && isAcknowledged(each));
  return Map.groupBy(answered, ({ data }) => String(data["id"]));
}

/**
 * Purchases, authorizations, and verifications, those that were declined included. A capture, a refund, or an increment belongs
 * to one of them, also an increment that is an authorization of its own.
 */
async function readSpent({ integratorIds }: History, sql: Sql): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from transactions
    where integrator_id = any(${integratorIds}::uuid[]) and type in ('deduct', 'verification') and authorization_id is null
      and takes_back is null and increment_of is null`;
  return new Set(rows.map(({ id }) => id));
}

async function checkSequences({ integratorIds }: History, sql: Sql): Promise<string[]> {
  const rows = await sql<{ place: string; rows: number; last: number }[]>`
    select 'events of ' || subject_type || ' ' || subject_id as place, count(*)::int as rows, max(sequence)::int as last
    from events where integrator_id = any(${integratorIds}::uuid[]) group by subject_type, subject_id
    union all
    select 'entries of account ' || account_id, count(*)::int, max(account_version)::int
    from entries where integrator_id = any(${integratorIds}::uuid[]) and account_version is not null
    group by account_id`;
  return rows
    .filter((row) => row.rows !== row.last)
    .map((row) => `${row.place}: ${row.rows} rows, and the last is number ${row.last}`);
}

/** The event of each acknowledged request; those that can come from other requests too are not counted. */
function toEventName(request: Recorded): string | null {
  const names: Readonly<Record<string, string>> = {
    credit: "card.credited",
    top_up_card: "card.credited",
    debit: "card.debited",
    "top-up": "float.topped-up",
    funding: "float.topped-up",
  };
  if (request.operation === "replaceCard") {
    return Number(request.data["balance"]) > 0 ? "card.credited" : null;
  }
  return QUESTIONS.has(request.operation) && isDeclined(request)
    ? "card.transaction-declined"
    : (names[request.operation] ?? null);
}

async function checkEvents({ requests, integratorIds }: History, sql: Sql): Promise<string[]> {
  const expected = new Map<string, number>();
  // Each float was topped up once before the run.
  for (const id of integratorIds) {
    expected.set(`${id} float.topped-up`, 1);
  }
  for (const each of requests.filter(isAcknowledged)) {
    const name = toEventName(each);
    if (name) {
      add(expected, `${each.integratorId} ${name}`, 1);
    }
  }
  // What is left on a card when it closes is debited, and so is cover that is given back.
  const swept = await sql<{ place: string; count: number }[]>`
    select integrator_id || case when kind in ('card_sweep', 'cover_return') then ' card.debited' else ' card.credited' end
      as place, count(*)::int as count from transfers
    where integrator_id = any(${integratorIds}::uuid[])
      and kind in ('card_sweep', 'cover_return', 'cover', 'deficit_cover') group by 1`;
  for (const { place, count } of swept) {
    add(expected, place, count);
  }
  const rows = await sql<{ place: string; count: number }[]>`
    select integrator_id || ' ' || event as place, count(*)::int as count
    from events where integrator_id = any(${integratorIds}::uuid[]) group by 1`;
  const counts = new Map(rows.map(({ place, count }) => [place, count]));
  return [...expected]
    .filter(([place, count]) => (counts.get(place) ?? 0) !== count)
    .map(([place, count]) => `${place}: ${counts.get(place) ?? 0} instead of ${count}`);
}

async function checkDelivered(history: History, sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string; event: string }[]>`
    select e.id, e.event from events e
    where e.integrator_id = any(${history.integratorIds}::uuid[]) and e.created_at >= (
      select min(c.created_at) from events c
      where c.integrator_id = e.integrator_id and c.event = 'integrator.updated')`;
  return rows
    .filter(({ id }) => !history.delivered.has(id))
    .map(({ id, event }) => `${event} ${id} never arrived`);
}
