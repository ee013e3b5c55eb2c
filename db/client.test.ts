import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "./client.ts";
import type { Db } from "./client.ts";
import { databaseCode } from "./failures.ts";
import { testDatabase } from "#test/database/database.ts";
import { withTimeLimits } from "./time-limits.ts";
import { inTransaction } from "./transaction.ts";
import type { Tx } from "./transaction.ts";

/** A proxy without a primary: it accepts every connection and closes it. */
let proxy: Server;
let attempts = 0;

beforeAll(async () => {
  proxy = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});

afterAll(() => proxy.close());

function nowhere(): string {
  const address = proxy.address();
  return `127.0.0.1:${typeof address === "object" ? address?.port : address}`;
}

/** Long enough to observe a driver that retries by itself. */
const QUIET_MS = 300;

/** The error code of one transaction. */
async function ask(db: Db): Promise<string | undefined> {
  return inTransaction(db, (tx) => tx.execute(sql`select 1`)).then(() => "none", databaseCode);
}

test("a proxy without a primary fails immediately as unreachable, without a connection storm", async () => {
  const opened = openDatabase(`postgres://nobody@${nowhere()}/none`);
  attempts = 0;
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await ask(opened.db)).toBe("database_unavailable");
  }
  await sleep(QUIET_MS);
  // One per transaction, and none while there is no request.
  expect(attempts).toBe(3);
  await opened.close();
});

test("the primary among several hosts is found, whichever host was used before", async () => {
  const url = new URL(testDatabase().url);
  const real = url.host;
  for (const hosts of [`${nowhere()},${real}`, `${real},${nowhere()}`]) {
    const opened = openDatabase(url.href.replace(real, hosts), { max: 1 });
    expect(await untilAnswered(opened.db)).toBe(testDatabase().name);
    // The connection is closed, and the next transaction needs another.
    await opened.db
      .execute(sql`select pg_terminate_backend(pg_backend_pid())`)
      .catch(() => undefined);
    expect(await untilAnswered(opened.db)).toBe(testDatabase().name);
    await opened.close();
  }
});

/** Which database answers. The first transaction may still meet the closing connection. */
async function untilAnswered(db: Db): Promise<unknown> {
  for (;;) {
    const rows = await inTransaction(db, (tx) =>
      tx.execute(sql`select current_database() as name`),
    ).catch(() => []);
    if (rows.length > 0) {
      return rows[0]?.["name"];
    }
    await sleep(10);
  }
}

test("with several hosts and no primary, each is tried once, and then the database is unreachable", async () => {
  const opened = openDatabase(`postgres://nobody@${nowhere()},${nowhere()}/none`);
  attempts = 0;
  expect(await ask(opened.db)).toBe("database_unavailable");
  await sleep(QUIET_MS);
  expect(attempts).toBe(2);
  await opened.close();
});

test("a connection that ends while the driver reads the array types fails its own request alone", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  const breaker = await listenBefore(new URL(testDatabase().url), "pg_catalog.pg_type");
  const opened = openDatabase(testDatabase().url.replace(/@[^/]+/u, `@${breaker.host}`), {
    max: 1,
  });
  try {
    expect(await ask(opened.db)).toBe("database_unavailable");
    // A rejection is reported once the microtasks of its turn have run.
    await sleep(0);
    expect(unhandled).toEqual([]);
    breaker.repair();
    const [row] = await opened.db.execute(
      sql`select array_length(${sql.param(["a", "b"])}::text[], 1) as length`,
    );
    expect(row).toEqual({ length: 2 });
  } finally {
    process.off("unhandledRejection", note);
    await opened.close();
    breaker.close();
  }
});

test("a statement that is sent while its connection breaks fails with it, and the pool then closes at once", async () => {
  const { opened, broken, breaker } = await breakConnection();
  const next = broken.catch(() => opened.db.execute(sql`select 2`));
  expect(await next.then(() => "none", databaseCode)).toBe("CONNECTION_CLOSED");
  await withTimeLimits(NO_CLOSE_LIMIT, opened.close);
  breaker.close();
});

test("a pool closes at once also while its connection breaks", async () => {
  const { opened, broken, breaker } = await breakConnection();
  const closed = withTimeLimits(NO_CLOSE_LIMIT, () => broken.then(() => "works", opened.close));
  expect(await closed).toBeUndefined();
  breaker.close();
});

/** A statement whose connection is reset. When it fails, the driver knows of the error, but the socket has yet to close. */
async function breakConnection() {
  const breaker = await listenBefore(new URL(testDatabase().url), "is_broken");
  const url = testDatabase().url.replace(/@[^/]+/u, `@${breaker.host}`);
  const opened = openDatabase(url, { max: 1 });
  await opened.db.execute(sql`select 1`);
  return { opened, broken: opened.db.execute(sql`select 1 as is_broken`), breaker };
}

/** A pool that hangs fails its test. */
const NO_CLOSE_LIMIT = { poolClose: 600_000 };

/** A proxy before a database that resets every connection on which a client sends this text, until it is repaired. */
async function listenBefore(database: URL, text: string) {
  let isRepaired = false;
  const server = createServer((socket) => {
    const upstream = connect(Number(database.port), database.hostname);
    const end = () => {
      socket.resetAndDestroy();
      upstream.destroy();
    };
    socket.on("error", end).on("close", end);
    upstream.on("error", end).on("close", end);
    socket.on("data", (chunk) =>
      !isRepaired && chunk.includes(text) ? end() : upstream.write(chunk),
    );
    upstream.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    host: `127.0.0.1:${typeof address === "object" ? address?.port : address}`,
    repair: () => {
      isRepaired = true;
    },
    close: () => server.close(),
  };
}

function both(tx: Tx) {
  return Promise.all([tx.execute(sql`select 1`), tx.execute(sql`select 1`)]);
}

test("round trips are counted: each wait for an answer once, whatever was sent together", async () => {
  const opened = openDatabase(testDatabase().url, { max: 1 });
  const { db } = opened;
  const count = async (work: () => Promise<unknown>) => {
    const before = opened.load().roundTrips;
    await work();
    return opened.load().roundTrips - before;
  };
  const one = () => db.execute(sql`select 1`);
  await one();
  expect(await count(one)).toBe(1);
  expect(await count(() => one().then(one))).toBe(2);
  expect(await count(() => Promise.all([one(), one(), one()]))).toBe(1);
  const transaction = (work: (tx: Tx) => Promise<unknown>) => () => db.transaction(work);
  // BEGIN and COMMIT go alone.
  expect(await count(transaction(both))).toBe(3);
  expect(await count(transaction((tx) => both(tx).then(() => both(tx))))).toBe(4);
  // The first time, the database describes the parameters.
  const described = () => db.execute(sql`select ${1}::int`);
  expect(await count(described)).toBe(2);
  await opened.close();
});
