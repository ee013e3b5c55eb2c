import { randomUUID } from "node:crypto";
import { connect, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createApiKey, revokeApiKey } from "#lib/access/api-keys.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { newId } from "#lib/base/ids.ts";
import { changeRole } from "#lib/staff/staff.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";
import { openDatabase } from "#db/client.ts";
import type { Database } from "#db/client.ts";
import { findFreePort } from "#db/postmaster.ts";
import { staff } from "#db/schema/staff.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import { watchCommits } from "./commit-watch.ts";
import { credit, newClient, readEffects } from "./load.ts";
import type { Client } from "./load.ts";
import { POSSIBLE_EFFECTS, readOutcome, readTransactionOutcome } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { controlDatabase, killDatabase, startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";
import { readTransactionId, spendIds } from "./transaction-ids.ts";

/** What the proxy between server and database does with the COMMIT of a transaction that mentions `meant`. */
let fate: "pass" | "cut before" | "cut after" | "hold" = "pass";
let meant = "";
let cuts = 0;
/**
 * Called when a COMMIT is held, with the port from which its connection reached the database. From then on the
 * proxy forwards nothing, in either direction, until it opens.
 */
let onHeld: (port: number) => void = () => undefined;
let openLine: (() => void) | undefined;
let line: Server;
let rig: Rig;
let client: Client;
/** The database's URL through the proxy. */
let throughUrl: string;
let through: Database;

const TRIALS_MAX = 8;

/** Long enough for a forwarded COMMIT to complete before its connection is cut. */
const COMMIT_MS = 300;

// Without a webhook worker, whose transactions commit at any time.
process.env["WORKER"] = "off";

beforeEach(async () => {
  fate = "pass";
  cuts = 0;
  openLine = undefined;
  rig = await startRig({ through: layLine });
  client = await newClient(rig);
});

afterEach(async () => {
  await rig.stop();
  line.close();
});

async function layLine(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const target = Number(url.port);
  // Small messages wait for no others.
  line = createServer({ noDelay: true }, (inward) =>
    openLine
      ? inward.destroy()
      : join(inward, connect({ port: target, host: "127.0.0.1", noDelay: true })),
  );
  url.port = String(await findFreePort());
  await new Promise<void>((resolve) => line.listen(Number(url.port), "127.0.0.1", resolve));
  throughUrl = url.href;
  return throughUrl;
}

function join(inward: Socket, outward: Socket): void {
  const end = () => {
    inward.destroy();
    outward.destroy();
  };
  for (const socket of [inward, outward]) {
    socket.on("error", end);
    socket.on("close", end);
  }
  outward.on("data", (chunk: Buffer) => inward.writable && inward.write(chunk));
  const isCommit = watchCommits();
  inward.on("data", (chunk: Buffer) => {
    if (!isCommit(chunk.toString("latin1"), meant) || fate === "pass") {
      outward.write(chunk);
      return;
    }
    cuts += 1;
    const cut = fate;
    fate = "pass";
    outward.removeAllListeners("data");
    if (cut === "hold") {
      outward.removeAllListeners().on("error", () => undefined);
      openLine = () => {
        openLine = undefined;
        end();
      };
      onHeld(outward.localPort ?? 0);
      return;
    }
    if (cut === "cut after") {
      outward.write(chunk);
    }
    setTimeout(end, COMMIT_MS);
  });
}

test.each(["cut after", "cut before"] as const)(
  "the connection dies during COMMIT (%s the database heard it): the answer is right and the money moved once",
  async (when) => {
    for (const key of [null, "a-key"]) {
      const before = await readEffects(rig, client);
      meant = client.cardId;
      fate = when;
      expect(await credit(rig, client, key)).toMatchObject({ status: 200, code: null });
      expect(fate).toBe("pass");
      expect(await readEffects(rig, client)).toMatchObject({ balance: before.balance + 1 });
    }
    expect(cuts).toBe(2);
    await sleep(100);
    expect(await rig.sweep()).toEqual([]);
  },
);

/** A write, an id that its transaction mentions, and how to count its effects afterwards. */
interface Write {
  mentions: string;
  act: () => Promise<Outcome>;
  count: () => Promise<number>;
}

/** The commit marker of each: an event, an audit row, or only a stored response. */
const WRITES: Readonly<Record<string, () => Promise<Write>>> = {
  "a credit": async () => ({
    mentions: client.cardId,
    act: async () => readOutcome(await credit(rig, client, null), 200),
    count: async () => (await readEffects(rig, client)).balance,
  }),
  "a revoked key": async () => {
    const { id } = await directly((tx) =>
      createApiKey(tx, {
        integratorId: client.integratorId,
        environment: "sandbox",
        name: "Lost",
        scopes: ["cards:read"],
        expiresAt: null,
        createdBy: "test",
      }),
    );
    return {
      mentions: id,
      act: () => readTransactionOutcome(through.db, (tx) => revokeApiKey(toContext(tx), id)),
      count: () => countRows(`api_keys where id = '${id}' and revoked_at is not null`),
    };
  },
  "a changed role": async () => {
    const id = newId();
    await directly((tx) =>
      tx.insert(staff).values({
        integratorId: client.integratorId,
        id,
        email: `${id}@staff.example`,
        firstName: "Kim",
        lastName: "Park",
        role: "viewer",
      }),
    );
    return {
      mentions: id,
      act: () => readTransactionOutcome(through.db, (tx) => changeRole(toContext(tx), id, "admin")),
      count: () => countRows(`staff where id = '${id}' and role = 'admin'`),
    };
  },
  "a stored refusal": async () => {
    const key = randomUUID();
    const name = toIdempotencyName(client.integratorId, key);
    return {
      mentions: name,
      act: () => refuse(key),
      count: () => countRows(`idempotent_requests where key = '${name}' and status = 422`),
    };
  },
};

test.each(Object.entries(WRITES))(
  "the database crashes during COMMIT and gives the transaction's id to another one: %s is done once",
  async (_name, prepare) => {
    const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
    through = openDatabase(throughUrl, { max: 1 });
    try {
      // A crash loses everything written since the last flush.
      await owner`alter system set wal_writer_delay = '10s'`;
      await owner`select pg_reload_conf()`;
      let isReused = false;
      // Another commit may have flushed the id too; then it is not assigned again.
      for (let trial = 1; trial <= TRIALS_MAX && !isReused; trial += 1) {
        const write = await prepare();
        const before = await write.count();
        const { isReused: isAgain, outcome } = await loseId(owner, write);
        expect(POSSIBLE_EFFECTS[outcome]).toContain((await write.count()) - before);
        // A database that takes long to restart performs nothing or leaves the outcome unknown. Then the trial is void.
        isReused = isAgain && outcome === "performed";
      }
      expect(isReused).toBe(true);
      expect(await rig.sweep()).toEqual([]);
    } finally {
      await owner.end();
      await through.close();
    }
  },
);

/**
 * Loses the COMMIT of a write together with its transaction's id.
 * @returns whether another transaction got that id, and what the caller of the write was told.
 */
async function loseId(
  owner: Sql,
  { act, mentions }: Write,
): Promise<{ isReused: boolean; outcome: Outcome }> {
  const held = new Promise<number>((resolve) => {
    onHeld = resolve;
  });
  meant = mentions;
  fate = "hold";
  const acted = act();
  const lost = await readTransactionId(owner, await held);
  await killDatabase(rig);
  controlDatabase(rig, "restart");
  const isReused = await spendIds(owner, lost);
  openLine?.();
  return { isReused, outcome: await acted };
}

/** A credit that the float cannot pay: nothing is written but the answer under its key. */
async function refuse(key: string): Promise<Outcome> {
  const answer = await fetch(`${rig.baseUrl}/cards/credit/balance`, {
    method: "PATCH",
    headers: { ...client.headers, "Idempotency-Key": key },
    body: JSON.stringify({ card_id: client.cardId, amount: 1_000_000_000 }),
  });
  const { code }: { code: string } = await answer.json();
  return readOutcome({ status: answer.status, code }, 422);
}

/** Performs the act in a transaction without a fault. */
async function directly<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const opened = openDatabase(rig.database.appUrl, { max: 1 });
  try {
    return await inTransaction(opened.db, work);
  } finally {
    await opened.close();
  }
}

async function countRows(what: string): Promise<number> {
  return directly(async (tx) => {
    const [row] = await tx.execute<{ count: number }>(
      sql.raw(`select count(*)::int as count from ${what}`),
    );
    return row?.count ?? 0;
  });
}

function toContext(tx: Tx): WriteContext {
  const id = newId();
  return {
    tx,
    actor: {
      integratorId: client.integratorId,
      ref: { type: "staff", id, name: "Ada Winter" },
      staff: {
        id,
        sessionId: id,
        role: "owner",
        fresh: true,
        hasSecondFactor: false,
        mustEnroll: false,
      },
    },
    request: { id, address: null, agent: null },
  };
}
