import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { verifyWebhook } from "#lib/api/client-package/source/verify-webhook.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";
import type { Discrepancy } from "#lib/ledger/verify.ts";
import { openDatabase } from "#db/client.ts";
import { startEmbedded } from "#db/embedded.ts";
import { runCommand } from "../../bin/floatdeck-cli.ts";
import { hasPackages } from "#test/run/packages.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { takeBaseBackup } from "./base-backup.ts";
import { Browser, waitForPages } from "./browser.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { ask } from "./ask.ts";
import { newClient } from "./load.ts";
import type { Client } from "./load.ts";
import { startRig } from "./rig.ts";
import type { AnotherServer, Rig } from "./rig.ts";
import { findSystemPostgres, startSystemCluster } from "./system-postgres.ts";

/** After a disaster: the server and its cluster are gone, and a new server runs on what a backup made of them. */

interface Urls {
  ownerUrl: string;
  appUrl: string;
}

type Running = Pick<AnotherServer, "baseUrl" | "server">;

const FREEZES = 2;
/** How many events the integrator causes before the disaster. */
const EVENTS = 13;

let rig: Rig;
let dir: string;
let receiver: Receiver;
const cleanUps: (() => Promise<void>)[] = [];

/** The originals send no webhooks, so that those of the last changes are still pending in the backup. */
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "floatdeck-restore-"));
  chmodSync(dir, 0o755);
  rig = await startRig({ environment: { WORKER: "off" }, serves: "pages" });
});

beforeEach(async () => {
  receiver = await startReceiver(answer(200));
});

afterAll(async () => {
  await rig.stop();
  for (const cleanUp of cleanUps) {
    await cleanUp();
  }
  rmSync(dir, { recursive: true, force: true });
});

/** An empty directory of the test's own. */
function makeDirectory(name: string): string {
  const made = path.join(dir, name);
  mkdirSync(made);
  return made;
}

function startOn(
  { appUrl, ownerUrl }: Urls,
  environment: Record<string, string>,
): Promise<Running> {
  return rig.startAnother({
    ...environment,
    DATABASE_URL: appUrl,
    DATABASE_MIGRATION_URL: ownerUrl,
  });
}

async function crash({ server }: Running): Promise<void> {
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
}

/** Moves 500 to the card and 200 back, and holds 50. */
async function moveFunds(server: Running, client: Client): Promise<void> {
  const { cardId: card_id } = client;
  await ask(server, "PATCH /cards/credit/balance", { client, body: { card_id, amount: 500 } });
  await ask(server, "PATCH /cards/debit/balance", { client, body: { card_id, amount: 200 } });
  const body = { type: "authorize", amount: 50 };
  await ask(server, `POST /cards/${card_id}/mock-transaction`, { client, body });
}

/**
 * Reads the feed from a cursor to its end, once it has listed this many events: a transaction that is open anywhere in the
 * cluster holds back newer ones. The test's timeout is the limit.
 */
async function consume(
  server: Running,
  client: Client,
  { from, count }: { from: string | null; count: number },
) {
  const ids: string[] = [];
  for (let after = from; ;) {
    const wait = ids.length < count ? 5 : 0;
    const query = `limit=4&wait=${wait}${after === null ? "" : `&after=${after}`}`;
    const page = await ask(server, `GET /events?${query}`, { client });
    after = page.next_cursor ?? after;
    ids.push(...page.data.map(({ id }: { id: string }) => id));
    if (page.data.length === 0 && ids.length >= count) {
      return { ids, cursor: after };
    }
  }
}

async function findPending(server: Running, client: Client): Promise<string[]> {
  const { data } = await ask(server, "GET /webhook-deliveries?state=pending&limit=100", { client });
  return data.map(({ id }: { id: string }) => id).toSorted();
}

/** What an integrator knows of its account before the disaster. */
type Known = Awaited<ReturnType<typeof live>>;

/** An integrator at work: it moves funds, freezes, reads half of its events, and is owed webhooks. */
async function live(server: Running) {
  const client = await newClient(server);
  await moveFunds(server, client);
  const half = await ask(server, "GET /events?limit=3", { client });
  const webhook_url = receiver.url;
  await ask(server, "PATCH /card-integrators/update", { client, body: { webhook_url } });
  const key = randomUUID();
  const { data } = await ask(server, "POST /webhooks/rotate-secret", { client, key });
  for (let freeze = 0; freeze < FREEZES; freeze += 1) {
    await ask(server, `PATCH /cards/${client.cardId}/freeze`, { client });
    await ask(server, `PATCH /cards/${client.cardId}/unfreeze`, { client });
  }
  await ask(server, `PATCH /cards/${client.cardId}/freeze`, { client });
  const pending = await findPending(server, client);
  expect(pending.length).toBeGreaterThan(2 * FREEZES);
  const { ids, cursor } = await consume(server, client, { from: null, count: EVENTS });
  const card = await ask(server, `GET /cards/${client.cardId}`, { client });
  return { client, key, secret: String(data.secret), pending, half, ids, cursor, card };
}

/** Everything that the integrator knew is still true of the copy. */
async function expectSame(server: Running, known: Known): Promise<void> {
  const { client, key, secret, half, ids, cursor } = known;
  expect(await ask(server, `GET /cards/${client.cardId}`, { client })).toEqual(known.card);
  const read = async (from: string | null, count: number) =>
    (await consume(server, client, { from, count })).ids;
  expect(await read(null, ids.length)).toEqual(ids);
  expect(await read(half.next_cursor, ids.length - half.data.length)).toEqual(
    ids.slice(half.data.length),
  );
  expect(await read(cursor, 0)).toEqual([]);
  const again = await ask(server, "POST /webhooks/rotate-secret", { client, key });
  expect(again).toEqual({ data: { secret } });
}

async function expectSignIn({ baseUrl }: Running, { email }: Client): Promise<void> {
  await waitForPages(baseUrl);
  const browser = new Browser();
  await browser.signIn({ email, password: PASSWORD }, { form: baseUrl, target: baseUrl });
  expect((await browser.send(`${baseUrl}/api-keys`)).status).toBe(200);
}

/** Every webhook that was pending arrives once, signed with the secret that the integrator has. */
async function expectDeliveries({ secret, pending }: Known): Promise<void> {
  const received = await receiver.waitFor(pending.length);
  for (const { headers, body } of received) {
    await verifyWebhook(secret, headers, body);
  }
  expect(received.map(({ headers }) => String(headers["webhook-id"])).toSorted()).toEqual(pending);
}

/** Funds move as before, and the feed continues exactly where the integrator had stopped reading. */
async function expectLife(server: Running, { client, ids, cursor, pending }: Known): Promise<void> {
  await ask(server, `PATCH /cards/${client.cardId}/unfreeze`, { client });
  await moveFunds(server, client);
  const card = await ask(server, `GET /cards/${client.cardId}`, { client });
  expect(card).toMatchObject({ balance: 600, held: 100 });
  const added = (await consume(server, client, { from: cursor, count: 4 })).ids;
  expect(added).toHaveLength(4);
  const all = await consume(server, client, { from: null, count: ids.length + added.length });
  expect(all.ids).toEqual([...ids, ...added]);
  await receiver.waitFor(pending.length + added.length);
}

/** What is wrong with the books, to the running check and to the full one. */
async function sweep({ ownerUrl }: Urls): Promise<Discrepancy[]> {
  const opened = openDatabase(ownerUrl, { max: 2 });
  try {
    const recent = await checkBooks(opened.db, "recent");
    return [...(recent ?? []), ...(await verifyBooks(opened.db))];
  } finally {
    await opened.close();
  }
}

/** The integrator causes events, and reads them, that no backup has. @returns its cursor. */
async function loseEvents(server: Running, client: Client): Promise<string> {
  const { next_cursor: from } = await ask(server, "GET /events?after=now", { client });
  await moveFunds(server, client);
  return String((await consume(server, client, { from, count: 3 })).cursor);
}

/** What the operator runs before any server starts on a base backup. */
async function finishRestore({ appUrl, ownerUrl }: Urls): Promise<void> {
  const settings = {
    DATABASE_URL: appUrl,
    DATABASE_MIGRATION_URL: ownerUrl,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
  };
  expect(await runCommand(["restored"], settings)).toMatchObject({ code: 0 });
}

async function expectContinued(copy: Urls, known: Known): Promise<void> {
  const server = await startOn(copy, { WORKER: "on" });
  await expectSame(server, known);
  await expectDeliveries(known);
  await expectLife(server, known);
  await expectSignIn(server, known.client);
}

/** A cluster in use for a while has assigned many more transaction ids than a new one. */
async function useUpIds({ ownerUrl }: Urls): Promise<void> {
  const owner = postgres(ownerUrl, { max: 1 });
  await owner.unsafe(`do $$ begin
    for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$`);
  await owner.end();
}

async function startSystem(binaries: string, name: string): Promise<Urls> {
  const cluster = await startSystemCluster(binaries, makeDirectory(name));
  cleanUps.push(() => cluster.stop());
  return cluster;
}

test.skipIf(!hasPackages("postgresql"))(
  "restored from pg_dump into a new cluster: nothing is lost or repeated, and everything goes on (needs Debian's postgresql package; the npm packages of PostgreSQL include no pg_dump)",
  async () => {
    const binaries = findSystemPostgres() ?? "";
    const original = await startSystem(binaries, "original");
    await useUpIds(original);
    const server = await startOn(original, {});
    const known = await live(server);
    const file = path.join(dir, "floatdeck.dump");
    const run = (program: string, ...args: string[]) =>
      execFileSync(path.join(binaries, "bin", program), ["--no-owner", "--no-privileges", ...args]);
    run("pg_dump", "--format=custom", `--file=${file}`, original.ownerUrl);
    await crash(server);
    const copy = await startSystem(binaries, "restored");
    run("pg_restore", "--single-transaction", `--dbname=${copy.ownerUrl}`, file);
    await expectContinued(copy, known);
    expect(await sweep(copy)).toEqual([]);
  },
);

test("started from a base backup: nothing is lost or repeated, and everything goes on", async () => {
  const server = { baseUrl: rig.baseUrl, server: rig.server };
  const known = await live(server);
  const to = makeDirectory("base-backup");
  const primary = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  await takeBaseBackup(primary, rig.home, path.join(to, "postgres"));
  await primary.end();
  copyFileSync(
    path.join(path.dirname(rig.home.data), "database.json"),
    path.join(to, "database.json"),
  );
  const ahead = await loseEvents(server, known.client);
  await crash(server);
  await rig.database.stop();
  const copy = await startEmbedded(to);
  cleanUps.push(() => copy.stop());
  await finishRestore(copy);
  const reader = await startOn(copy, { WORKER: "off" });
  const { ids, cursor } = await consume(reader, known.client, { from: ahead, count: 1 });
  const { data } = await ask(reader, `GET /events/${ids[0]}`, { client: known.client });
  expect(data).toMatchObject({ event: "account.restored" });
  await crash(reader);
  const pending = [...known.pending, ...ids].toSorted();
  await expectContinued(copy, { ...known, ids: [...known.ids, ...ids], pending, cursor });
  expect(await sweep(copy)).toEqual([]);
});
