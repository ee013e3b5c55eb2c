import { connect, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { credit, newClient, readEffects } from "./load.ts";
import type { Client } from "./load.ts";
import { controlDatabase, freePort, killDatabase, startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

/** What the line between server and database does when it sees COMMIT go by. */
let fate: "pass" | "cut before" | "cut after" | "hold" = "pass";
let cuts = 0;
/** Called when a COMMIT is held. From then on nobody gets through, and its sender hears nothing, until the line opens. */
let onHeld: () => void = () => undefined;
let openLine: (() => void) | undefined;
let line: Server;
let rig: Rig;
let client: Client;

/** Parse, of the whole statement: the driver prepares it once a connection and then calls it by its name. */
const PARSE_COMMIT = /P[\s\S]{4}(?<name>[^\0]+)\0commit\0/u;

/** Long enough for a commit that got through to be done before its line is cut. */
const COMMIT_MS = 300;

beforeEach(async () => {
  fate = "pass";
  cuts = 0;
  openLine = undefined;
  rig = await startRig(layLine);
  client = await newClient(rig);
});

afterEach(async () => {
  await rig.stop();
  line.close();
});

async function layLine(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const target = Number(url.port);
  line = createServer((inward) =>
    openLine ? inward.destroy() : join(inward, connect(target, "127.0.0.1")),
  );
  const port = await freePort();
  await new Promise<void>((resolve) => line.listen(port, "127.0.0.1", resolve));
  url.port = String(port);
  return url.href;
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
  let commitName: string | undefined;
  inward.on("data", (chunk: Buffer) => {
    const text = chunk.toString("latin1");
    const parsed = PARSE_COMMIT.exec(text)?.groups?.["name"];
    commitName ??= parsed;
    // Bind names an unnamed portal, then the statement.
    const isCommit = commitName !== undefined && text.includes(`\0${commitName}\0`);
    if (fate === "pass" || !(isCommit || parsed)) {
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
      onHeld();
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

test("the database crashes during COMMIT and gives the transaction's id to another one: the money moved once", async () => {
  const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    // What a crash takes with it: all that was written since the last flush.
    await owner`alter system set wal_writer_delay = '10s'`;
    await owner`select pg_reload_conf()`;
    let isReused = false;
    // Somebody else's commit may have flushed the id as well, after which it is not given again.
    for (let trial = 1; trial <= TRIALS_MAX && !isReused; trial += 1) {
      const before = await readEffects(rig, client);
      const held = new Promise<void>((resolve) => {
        onHeld = resolve;
      });
      fate = "hold";
      const answer = credit(rig, client, null);
      await held;
      const lost = await readOpenTransaction(owner);
      await killDatabase(rig);
      controlDatabase(rig, "restart");
      isReused = await spendIds(owner, lost);
      openLine?.();
      expect(await answer).toMatchObject({ status: 200, code: null });
      expect(await readEffects(rig, client)).toMatchObject({ balance: before.balance + 1 });
    }
    expect(isReused).toBe(true);
    expect(await rig.sweep()).toEqual([]);
  } finally {
    await owner.end();
  }
});

const TRIALS_MAX = 8;

async function readOpenTransaction(owner: Sql): Promise<bigint> {
  const rows = await owner<{ xid: string }[]>`
    select backend_xid::text as xid from pg_stat_activity
    where application_name = 'floatdeck' and state = 'idle in transaction' and backend_xid is not null`;
  expect(rows).toHaveLength(1);
  return BigInt(rows[0]?.xid ?? 0);
}

/** Commits transactions up to this id; whether one of them was given it. */
async function spendIds(owner: Sql, id: bigint): Promise<boolean> {
  for (;;) {
    const [row] = await owner`select pg_current_xact_id()::text as xid`;
    const given = BigInt(row?.["xid"]);
    if (given >= id) {
      return given === id;
    }
  }
}
