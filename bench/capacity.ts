import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { connect } from "#db/connect.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import type { Case } from "./cases.ts";
import { createFixture } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";
import { driveHttp, toRequestBytes } from "./http-load.ts";
import { merge } from "./measure.ts";
import type { Sample, Summary } from "./measure.ts";
import { toAuthorization, toCreditOnce, toFreezes } from "./requests.ts";
import { readDatabaseCpuSeconds, serveProduct, setStage } from "./stage.ts";
import type { Served, Stage } from "./stage.ts";
import { takeTurns } from "./turns.ts";
import type { Turns } from "./turns.ts";

/**
 * The figures of docs/scaling.md: what each kind of request takes of servers and of PostgreSQL, beyond what they use without
 * a load, and how many there can be on one float and on many.
 */

export const ONE_FLOAT = "capacity: credit, one float";
export const MANY_FLOATS = "capacity: credit, 64 floats";
export const MANY_FLOATS_APART = "capacity: credit, 64 floats, three servers";

const CLIENTS = 64;
/** Few enough that the processors are not full, so that a read costs what it costs alone. */
const READERS = 8;
const HOT = { cards: 1_000, transactionsPerCard: 10 } as const;
/** As many cards in all as the hot account has. */
const ONE_OF_MANY = { cards: 16, transactionsPerCard: 10 } as const;
const FROZEN = { cards: 10_000, transactionsPerCard: 0 } as const;

/** The API log is written this long after a request, at most; it is part of what the request takes. */
const LOGGED_MS = 1_000;
/** For how long servers that have just started are left alone, and then watched, to know what they use without a load. */
const SETTLING_MS = 3_000;
const IDLE_MS = 5_000;

/** Measures all cases on a database of their own, with three servers of which one works unless the case says otherwise. */
export async function measureCapacity({
  caseMs,
  ...turns
}: Turns & { caseMs: number }): Promise<Record<string, Summary>> {
  const stage = await setStage();
  const sql = connect(stage.database.ownerUrl, { max: 1, onnotice: () => undefined });
  const servers: Served[] = [];
  try {
    const hot = await createFixture(stage, HOT);
    const frozen = await createFixture(stage, FROZEN);
    const many: Fixture[] = [];
    for (let made = 0; made < CLIENTS; made += 1) {
      many.push(await createFixture(stage, ONE_OF_MANY));
    }
    await vacuumAnalyze(stage.database);
    for (const name of ["a", "b", "c"]) {
      servers.push(await serveProduct(stage, name));
    }
    await sleep(SETTLING_MS);
    const idle = await use({ stage, sql, using: servers }, () => sleep(IDLE_MS));
    const cases = toCases(servers, { hot, frozen, many }).map((each): Case => ({
      name: each.name,
      run: async (durationMs) => {
        const used = await use({ stage, sql, using: each.using }, async () => {
          const sample = await each.run(durationMs);
          await sleep(LOGGED_MS);
          return sample;
        });
        return toSample(used, idle, each.using.length / servers.length);
      },
    }));
    return await takeTurns(cases, caseMs, { ...turns, only: "" });
  } finally {
    await Promise.all(servers.map((served) => served.stop()));
    await sql.end();
    await stage.destroy();
  }
}

/** A case, and the servers that it uses. */
type ServedCase = Case & { using: readonly Served[] };

function toCases(
  servers: readonly Served[],
  { hot, frozen, many }: { hot: Fixture; frozen: Fixture; many: readonly Fixture[] },
): ServedCase[] {
  const one = servers.slice(0, 1);
  const creditOne = () => toCreditOnce(hot);
  const creditMany = (client: number) => toCreditOnce(many[client % many.length] ?? hot);
  const authorize = () =>
    toAuthorization({ key: hot.processor.key, cardId: hot.pickSpendableCard() });
  const read = (toPath: () => string) =>
    on(one, READERS, () => toRequestBytes(`GET /api${toPath()}`, { key: hot.apiKey }));
  return [
    { name: ONE_FLOAT, ...on(one, CLIENTS, creditOne) },
    { name: MANY_FLOATS, ...on(one, CLIENTS, creditMany) },
    { name: MANY_FLOATS_APART, ...on(servers, CLIENTS, creditMany) },
    { name: "capacity: credit, one client", ...on(one, 1, creditOne) },
    { name: "capacity: authorize", ...on(one, CLIENTS, authorize) },
    {
      name: "capacity: credit and authorize, one integrator",
      ...on(one, CLIENTS, (client) => (client % 2 === 0 ? creditOne() : authorize())),
    },
    {
      name: "capacity: freeze and unfreeze",
      ...on(one, CLIENTS, toFreezes(frozen.apiKey, frozen.pickCard)),
    },
    { name: "capacity: show a card", ...read(() => `/cards/${hot.pickCard()}`) },
    { name: "capacity: list cards", ...read(() => "/cards") },
    { name: "capacity: list transactions", ...read(() => "/transactions") },
    { name: "capacity: list events", ...read(() => "/events") },
  ];
}

/** Requests of clients that are spread over servers. */
function on(
  using: readonly Served[],
  clients: number,
  next: (client: number) => Buffer,
): Omit<ServedCase, "name"> {
  const driveOne = (served: Served, index: number, durationMs: number) => {
    const first = Math.floor((clients * index) / using.length);
    const end = Math.floor((clients * (index + 1)) / using.length);
    const load = { clients: end - first, durationMs };
    return driveHttp(served, load, (client) => next(first + client));
  };
  return {
    using,
    run: async (durationMs) =>
      merge(await Promise.all(using.map((served, index) => driveOne(served, index, durationMs)))),
  };
}

/** What servers and their PostgreSQL used during some work. Processor time in seconds. */
interface Used<T> {
  done: T;
  seconds: number;
  served: number;
  database: number;
  walBytes: number;
}

async function use<T>(
  { stage, sql, using }: { stage: Stage; sql: Sql; using: readonly Served[] },
  work: () => Promise<T>,
): Promise<Used<T>> {
  const read = async () => ({
    seconds: performance.now() / 1_000,
    served: using.reduce((sum, served) => sum + served.cpuSeconds(), 0),
    database: readDatabaseCpuSeconds(stage),
    walBytes: await readWalPosition(sql),
  });
  const before = await read();
  const done = await work();
  const after = await read();
  return {
    done,
    seconds: after.seconds - before.seconds,
    served: after.served - before.served,
    database: after.database - before.database,
    walBytes: after.walBytes - before.walBytes,
  };
}

/** What the work used beyond what the same servers use without a load. */
function toSample(used: Used<Sample>, idle: Used<unknown>, share: number): Sample {
  const idleFor = used.seconds / idle.seconds;
  const without = (all: number, least: number) => Math.max(0, all - least * idleFor);
  return {
    ...used.done,
    cpuSeconds: without(used.served, idle.served * share),
    database: {
      cpuSeconds: without(used.database, idle.database),
      walBytes: without(used.walBytes, idle.walBytes),
    },
  };
}

async function readWalPosition(sql: Sql): Promise<number> {
  const [row] = await sql<{ at: number }[]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as at`;
  return row?.at ?? Number.NaN;
}
