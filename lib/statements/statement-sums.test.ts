import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { parseCsv } from "#test/scene/csv.ts";
import { move, moveMany, newCard, toTestIntegrator } from "#test/scene/fixtures.ts";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import { testDatabase } from "#test/database/database.ts";
import { PERIOD_UNITS, toDays, toPeriodName } from "#lib/base/calendar-period.ts";
import { addDays, toLocalDay } from "#lib/base/time-zone.ts";
import { rollUp } from "#lib/overview/rollup.ts";

/**
 * Statements of books of 90 days, compared with plain sums over all of their entries: opening balance plus totals is
 * closing balance, and closing balance minus opening balance is the sum of the file.
 */

/** Clocks change at midnight in Santiago, by half an hour on Lord Howe Island, and at 2:00 in New York. */
const ZONES = ["America/New_York", "America/Santiago", "Australia/Lord_Howe"];
const SCALE = { cards: 6, transactionsPerCard: 150 };
const DAYS = 90;

interface Entry {
  net: number;
  balance: number;
  kind: string;
  at: Date;
}

let owner: postgres.Sql;
let key: string;
let integratorId: string;
let cardId: string;

beforeAll(async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  ({ integratorId, apiKey: key } = await createScaledBooks({ appUrl, ownerUrl }, SCALE, {
    unguarded: true,
  }));
  const [card] = await owner`select id from cards where integrator_id = ${integratorId} limit 1`;
  cardId = String(card?.["id"]);
  await rollUpAll();
});

/** Gives a range of the float's entries other times, and the transfers other ids, as a clock that was set differently. */
async function shift({ from, through, by }: { from: number; through: number; by: string }) {
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`create temporary table moved on commit drop as
      select t.id, t.created_at + ${by}::interval as at, (
        lpad(to_hex((extract(epoch from t.created_at + ${by}::interval) * 1000)::bigint), 12, '0')
        || substr(replace(t.id::text, '-', ''), 13))::uuid as new_id
      from transfers t join entries e on e.integrator_id = t.integrator_id and e.transfer_id = t.id
      join ledger_accounts a on a.integrator_id = e.integrator_id and a.id = e.account_id and a.kind = 'float'
      where t.integrator_id = ${integratorId} and e.account_version between ${from} and ${through}`;
    for (const table of ["entries", "transactions", "events"]) {
      await tx`update ${tx(table)} x set transfer_id = m.new_id from moved m
        where x.integrator_id = ${integratorId} and x.transfer_id = m.id`;
    }
    await tx`update transfers t set id = m.new_id, created_at = m.at from moved m
      where t.integrator_id = ${integratorId} and t.id = m.id`;
    // The sums are those of the new times.
    await tx`truncate transfer_rollups, spend_rollups, card_rollups, rollup_checkpoints`;
  });
  await rollUpAll();
}

async function rollUpAll(): Promise<void> {
  while (await rollUp(testDatabase().db)) {
    // There is more.
  }
}

afterAll(() => owner.end());

/** All entries of the float or the card. */
async function readEntries(of: "float" | "card"): Promise<Entry[]> {
  const rows = await owner`
    select e.amount::float8 as net, e.balance_after::float8 as balance, t.kind, t.created_at as at
    from entries e join transfers t on t.integrator_id = e.integrator_id and t.id = e.transfer_id
    join ledger_accounts a on a.integrator_id = e.integrator_id and a.id = e.account_id and a.kind = ${of}
    where e.integrator_id = ${integratorId} ${of === "card" ? owner`and a.id = ${cardId}` : owner``}
    order by e.account_version`;
  return rows.map(({ net, balance, kind, at }) => ({ net, balance, kind, at }));
}

const PATHS = {
  float: { statement: "/card-integrators/float-statement", file: "/exports/float-statement" },
  card: { statement: "/cards/{id}/statement", file: "/exports/cards/{id}/statement" },
};

const ask = (path: string, query: Record<string, string>) =>
  call(`GET ${path.replace("{id}", cardId)}?${new URLSearchParams(query)}`, { key });

async function readStatement(of: "float" | "card", query: Record<string, string>) {
  const { json, status } = await ask(PATHS[of].statement, { limit: "1", ...query });
  expect([query, status]).toEqual([query, 200]);
  const { statement } = json as { statement: Record<string, unknown> };
  return statement;
}

/** What the statement must be, from all entries of its account. */
function toExpected(entries: readonly Entry[], { from, to }: { from: Date; to: Date }) {
  const before = entries.filter(({ at }) => at < from);
  const within = entries.filter(({ at }) => at >= from && at < to);
  const opening = before.at(-1)?.balance ?? 0;
  const kinds = new Map<string, number>();
  for (const { kind, net } of within) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + net);
  }
  return {
    opening_balance: opening,
    closing_balance: within.at(-1)?.balance ?? opening,
    lines: within.length,
    totals: Object.fromEntries(kinds),
  };
}

function toStated({ opening_balance, closing_balance, lines, totals }: Record<string, unknown>) {
  const kinds = (totals as { kind: string; net: number }[]).map(({ kind, net }) => [kind, net]);
  return { opening_balance, closing_balance, lines, totals: Object.fromEntries(kinds) };
}

const cents = (amount: string | undefined) => Math.round(Number(amount) * 100);

const toPeriod = ({ from, to }: Record<string, unknown>) => ({
  from: new Date(String(from)),
  to: new Date(String(to)),
});

const setZone = async (time_zone: string) => {
  const body = { time_zone };
  const { status } = await call("PATCH /card-integrators/settings", { key, body });
  expect(status).toBe(200);
};

describe.each(ZONES)("in %s", (zone) => {
  const today = toLocalDay(new Date(), zone);
  const days = Array.from({ length: DAYS + 2 }, (_, ago) => addDays(today, -ago));

  beforeAll(() => setZone(zone));

  test.each(["float", "card"] as const)(
    "every period of the %s follows from its entries, and each begins with what the one before left",
    async (of) => {
      const entries = await readEntries(of);
      // The card's days would show nothing that its weeks and the float's days do not.
      for (const unit of PERIOD_UNITS.filter((each) => of === "float" || each !== "day")) {
        const openings: unknown[] = [];
        const closings: unknown[] = [];
        for (const name of new Set(days.toReversed().map((day) => toPeriodName(unit, day)))) {
          const statement = await readStatement(of, { [unit]: name });
          const period = toPeriod(statement);
          expect([name, toStated(statement)]).toEqual([name, toExpected(entries, period)]);
          openings.push(statement["opening_balance"]);
          closings.push(statement["closing_balance"]);
          const { from, to } = period;
          const edges = [from, new Date(from.getTime() - 1), new Date(to.getTime() - 1), to];
          const [first, before, last, after] = edges.map((at) => toLocalDay(at, zone));
          expect(toDays(unit, name)).toEqual({ first, last });
          expect([before, after]).toEqual([addDays(first ?? "", -1), addDays(last ?? "", 1)]);
        }
        expect([unit, openings.slice(1)]).toEqual([unit, closings.slice(0, -1)]);
      }
    },
  );

  test.each(["float", "card"] as const)(
    "the file of the %s adds up, line by line and in all",
    async (of) => {
      const entries = await readEntries(of);
      const first = addDays(today, -41);
      for (const query of [
        { month: toPeriodName("month", addDays(today, -31)) },
        { quarter: toPeriodName("quarter", today) },
        { from: first, to: addDays(today, -11) },
      ]) {
        const statement = await readStatement(of, query);
        const { text, headers } = await ask(PATHS[of].file, query);
        const rows = parseCsv(text);
        const [opening, closing] = [statement["opening_balance"], statement["closing_balance"]];
        expect(rows.reduce((sum, { net }) => sum + cents(net), Number(opening))).toBe(closing);
        let balance = Number(opening);
        for (const { net, balance_after, posted_at, posted_date, version } of rows) {
          balance += cents(net);
          expect([version, cents(balance_after)]).toEqual([version, balance]);
          const at = entries[Number(version) - 1]?.at ?? new Date(Number.NaN);
          expect(Date.parse(posted_at ?? "")).toBe(at.getTime());
          expect(posted_date).toBe(toLocalDay(at, zone));
        }
        expect(rows).toHaveLength(Number(statement["lines"]));
        expect(headers.get("content-disposition")).toContain(
          `"Scale-${of === "float" ? of : `card-${cardId}`}-statement-${String(statement["period"])}.csv"`,
        );
      }
    },
  );

  test("the balance at any moment is that of the last entry before it", async () => {
    for (const of of ["float", "card"] as const) {
      const entries = await readEntries(of);
      for (const at of entries.filter((_, index) => index % 97 === 0).map((entry) => entry.at)) {
        for (const moment of [at, new Date(at.getTime() + 1)]) {
          const statement = await readStatement(of, { at: moment.toISOString() });
          const expected = toExpected(entries, { from: moment, to: moment });
          expect([moment, toStated(statement)]).toEqual([moment, expected]);
        }
      }
    }
  });
});

test("while the sums of a period are not rolled up yet, the statement is the same", async () => {
  const account = toTestIntegrator({ id: integratorId, apiKey: key });
  await move(account, { kind: "credit", cardId: (await newCard(account)).id, amount: 700 });
  const month = { month: toPeriodName("month", toLocalDay(new Date(), ZONES[2] ?? "")) };
  const before = await readStatement("float", month);
  const period = toPeriod(before);
  expect(toStated(before)).toEqual(toExpected(await readEntries("float"), period));
  await rollUp(testDatabase().db);
  expect(await readStatement("float", month)).toEqual(before);
});

test("if the database's clock was once set back, periods still add up, share their boundaries, and stay as they were", async () => {
  await setZone("UTC");
  await shift({ from: 500, through: 590, by: "-10 days" });
  const today = toLocalDay(new Date(), "UTC");
  const readDays = async () => {
    const statements: Record<string, unknown>[] = [];
    for (let ago = 60; ago >= 25; ago -= 1) {
      statements.push(await readStatement("float", { day: addDays(today, -ago) }));
    }
    return statements;
  };
  const before = await readDays();
  let balance = before[0]?.["opening_balance"];
  for (const { opening_balance: opening, closing_balance: closing, totals } of before) {
    expect(opening).toBe(balance);
    const moved = (totals as { net: number }[]).reduce((sum, { net }) => sum + net, 0);
    expect(Number(opening) + moved).toBe(closing);
    balance = closing;
  }
  const account = toTestIntegrator({ id: integratorId, apiKey: key });
  // A search that halved the numbers up to the last version would begin elsewhere now.
  for (const length of [100, 25]) {
    const credits = Array.from({ length }, () => ({ kind: "credit" as const, cardId, amount: 1 }));
    await moveMany(account, credits);
  }
  expect(await readDays()).toEqual(before);
});
