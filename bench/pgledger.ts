import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Sql } from "postgres";
import { connect } from "#db/connect.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import type { Case } from "./cases.ts";
import { createFixture } from "./fixture.ts";
import { driveHttp } from "./http-load.ts";
import { drive } from "./measure.ts";
import type { Summary } from "./measure.ts";
import { toCreditOnce } from "./requests.ts";
import { serveProduct, setStage } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { takeTurns } from "./turns.ts";
import type { Turns } from "./turns.ts";

/** Credits over HTTP beside another ledger's bare SQL function, which knows no keys, records no events, and answers no one. */

export const BESIDE_PGLEDGER = "credit, each with a key, beside pgledger";
export const PGLEDGER_CONNECTIONS = [4, 16, 64] as const;

export const toPgledgerName = (connections: number) => `pgledger, ${connections}`;

const CLIENTS = 64;
const CARDS = 1_000;
const DATABASE = "pgledger";

/**
 * Runs pgledger in a database of its own on the server that the product uses, with as many accounts as there are cards.
 * @param files pgledger's SQL, in the order in which it is run.
 */
export async function measurePgledger(
  files: readonly string[],
  { caseMs, ...turns }: Turns & { caseMs: number },
): Promise<Record<string, Summary>> {
  const stage = await setStage();
  try {
    const fixture = await createFixture(stage, { cards: CARDS, transactionsPerCard: 1 });
    await vacuumAnalyze(stage.database);
    const product = await serveProduct(stage, "a");
    const ledger = await createLedger(stage, files);
    try {
      const cases: Case[] = [
        {
          name: BESIDE_PGLEDGER,
          run: (durationMs) =>
            driveHttp(product, { clients: CLIENTS, durationMs }, () => toCreditOnce(fixture)),
        },
        ...PGLEDGER_CONNECTIONS.map((workers): Case => ({
          name: toPgledgerName(workers),
          run: (durationMs) => driveLedger(ledger, { workers, durationMs }),
        })),
      ];
      return await takeTurns(cases, caseMs, { ...turns, only: "" });
    } finally {
      await product.stop();
    }
  } finally {
    await stage.destroy();
  }
}

interface Ledger {
  url: string;
  float: string;
  accounts: readonly string[];
}

async function createLedger({ database }: Stage, files: readonly string[]): Promise<Ledger> {
  const owner = connect(database.ownerUrl, { max: 1, onnotice: () => undefined });
  await owner`create database ${owner(DATABASE)}`;
  await owner.end();
  const url = new URL(database.ownerUrl);
  url.pathname = `/${DATABASE}`;
  url.search = new URL(database.localUrl).search;
  const sql = connect(url.href, { max: 1, onnotice: () => undefined });
  try {
    for (const file of files) {
      await sql.unsafe(readFileSync(file, "utf8"));
    }
    const [float] = await createAccounts(sql, 1);
    const accounts = await createAccounts(sql, CARDS);
    await sql`vacuum analyze`;
    return { url: url.href, float: float ?? "", accounts };
  } finally {
    await sql.end();
  }
}

async function createAccounts(sql: Sql, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select created.id from generate_series(1, ${count}) as n
    cross join lateral pgledger_create_account('account ' || n, 'USD') as created`;
  return rows.map(({ id }) => id);
}

async function driveLedger(
  { url, float, accounts }: Ledger,
  load: { workers: number; durationMs: number },
) {
  const sql = connect(url, { max: load.workers, onnotice: () => undefined });
  try {
    return await drive(load, async () => {
      const account = accounts[randomInt(accounts.length)] ?? "";
      await sql`select * from pgledger_create_transfer(${float}, ${account}, 1)`;
    });
  } finally {
    await sql.end();
  }
}
