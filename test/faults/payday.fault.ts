import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "#db/postmaster.ts";
import { ROOT } from "#db/root.ts";
import { client, rig, useRig } from "./each-rig.ts";
import { installClient } from "./installed-client.ts";
import { times } from "./length.ts";

/** Runs docs/examples/payday as its README says, and kills it wherever it may be. */

useRig({ environment: { WEBHOOK_LOOPBACK: "on" } });

const KILLS = times({ short: 6, long: 30 });
const EMPLOYEES = 24;
const AMOUNT = 10_000;
/** More than is left on the float after the others. */
const LAST_AMOUNT = 900_000;
const PAYDAY = new Date().toISOString().slice(0, 10);

let folder: string;
let port: number;
let app: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "floatdeck-payday-"));
  cpSync(path.join(ROOT, "docs/examples/payday"), folder, {
    recursive: true,
    filter: (file) => !/node_modules|payday\.db/u.test(file),
  });
  port = await findFreePort();
  const [person] = JSON.parse(readFileSync(path.join(folder, "employees.json"), "utf8"));
  const names = Array.from({ length: EMPLOYEES }, (_, at) => `E-${at + 1}`);
  const people = names.map((employee) => ({
    ...person,
    employee,
    email: `${employee}@payday.example`,
  }));
  write("employees.json", people);
  const payments = names.map((employee, at) => ({
    employee,
    amount: at === EMPLOYEES - 1 ? LAST_AMOUNT : AMOUNT + at,
  }));
  write("payday.json", { payday: PAYDAY, payments });
});

afterAll(() => {
  app?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, value: unknown): void {
  writeFileSync(path.join(folder, name), JSON.stringify(value));
}

/** Starts one of the example's programs. */
function start(...args: string[]) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      ...process.env,
      API_KEY: client.headers["Authorization"]?.slice("Bearer ".length),
      PAYDAY_PORT: String(port),
      NODE_NO_WARNINGS: "1",
    },
  });
  let output = "";
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return { child, output: () => output, ended: once(child, "close") };
}

async function run(...args: string[]): Promise<{ status: number | null; output: string }> {
  const { child, output, ended } = start(...args);
  await ended;
  return { status: child.exitCode, output: output() };
}

async function killAfter(ms: number, program: ReturnType<typeof start>): Promise<void> {
  await sleep(ms);
  program.child.kill("SIGKILL");
  await program.ended;
}

async function startApp(): Promise<ReturnType<typeof start>> {
  const program = start("app.mjs");
  app = program.child;
  await expect
    .poll(() => program.output().includes("ready") || program.child.exitCode !== null)
    .toBe(true);
  expect(program.output()).toContain("Payday is ready");
  return program;
}

async function killServer(): Promise<void> {
  const gone = once(rig.server, "exit");
  rig.server.kill("SIGKILL");
  await gone;
}

async function ask(at: string, init?: RequestInit) {
  const answer = await fetch(`http://127.0.0.1:${port}${at}`, init);
  return { status: answer.status, body: await answer.json() };
}

async function callFloatdeck(line: string, body?: unknown) {
  const [method = "", at = ""] = line.split(" ");
  const answer = await fetch(`${rig.baseUrl}${at}`, {
    method,
    headers: client.headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

function store<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path.join(folder, "payday.db"));
  try {
    db.exec("pragma busy_timeout = 10000");
    return work(db);
  } finally {
    db.close();
  }
}

const count = (table: string) =>
  store((db) => Number(db.prepare(`select count(*) as count from ${table}`).get()?.["count"]));

/** The cards of the example's employees, as Floatdeck has them. */
async function readCards(): Promise<
  { id: string; status: string; balance: number; metadata: { employee?: string } }[]
> {
  const cards = await callFloatdeck("GET /cards?limit=100");
  return cards.filter((card: { metadata: { employee?: string } }) => card.metadata.employee);
}

test(
  "Payday, killed wherever it may be, pays everyone once, freezes what is reported, and misses no event",
  { timeout: 600_000 },
  async () => {
    await installClient(rig, folder);

    for (let kill = 0; kill < KILLS; kill += 1) {
      await killAfter(200 + Math.random() * 1_000, start("app.mjs"));
    }
    const first = await startApp();
    expect((await readCards()).length).toBe(EMPLOYEES);

    for (let kill = 0; kill < KILLS; kill += 1) {
      const paying = start("pay.mjs");
      if (kill === 1) {
        await sleep(300);
        await killServer();
        await rig.restartServer();
      }
      await killAfter(100 + Math.random() * 400, paying);
    }
    const refused = await run("pay.mjs");
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.output).toContain(`E-${EMPLOYEES} ${LAST_AMOUNT} refused insufficient_float`);
    await callFloatdeck("PATCH /card-integrators/top-up-float", { amount: LAST_AMOUNT });
    expect(await run("pay.mjs")).toMatchObject({ status: 0 });
    expect(await run("pay.mjs")).toMatchObject({ status: 0 });
    const cards = await readCards();
    const balances = Object.fromEntries(
      cards.map(({ metadata, balance }) => [metadata.employee, balance]),
    );
    expect(balances).toEqual(
      Object.fromEntries(
        cards.map(({ metadata }) => {
          const at = Number(metadata.employee?.slice(2)) - 1;
          return [metadata.employee, at === EMPLOYEES - 1 ? LAST_AMOUNT : AMOUNT + at];
        }),
      ),
    );

    // Reported while Floatdeck is down, and killed before it is back.
    await killServer();
    expect(await ask("/employees/E-1/lost", { method: "POST" })).toMatchObject({
      status: 202,
      body: { state: "open" },
    });
    await killAfter(0, first);
    await rig.restartServer();
    const second = await startApp();
    await expect
      .poll(async () => (await ask("/employees/E-1")).body)
      .toMatchObject({ status: "frozen", balance: AMOUNT });

    // What happens while the application is down arrives once it is back, each event once.
    await killAfter(0, second);
    const last = cards.find(({ metadata }) => metadata.employee === "E-2");
    await callFloatdeck("PATCH /cards/debit/balance", { card_id: last?.id, amount: 1 });
    await callFloatdeck(`PATCH /cards/${last?.id}/freeze`, { reason: "stolen" });
    // After its second attempt, it would be sent by itself only minutes later.
    const frozen = "GET /webhook-deliveries?event=card.frozen&limit=1";
    await expect
      .poll(async () => (await callFloatdeck(frozen)).data[0])
      .toMatchObject({ card_id: last?.id, attempt_count: 2, state: "pending" });
    await startApp();
    await expect
      .poll(async () => (await ask("/employees/E-2")).body)
      .toMatchObject({ status: "frozen", balance: AMOUNT });
    const { data } = await callFloatdeck(frozen);
    const before = count("events");
    const { data: sent } = await callFloatdeck(`POST /webhook-deliveries/${data[0].id}/resend`);
    await expect
      .poll(async () => (await callFloatdeck(`GET /webhook-deliveries/${sent.id}`)).data.state)
      .toBe("delivered");
    expect(count("events")).toBe(before);

    // The feed brings an event that was lost here, and the statement shows a payment that was booked wrong.
    store((db) =>
      db.exec(`
        delete from events where event = 'card.frozen';
        update cards set status = 'active', status_sequence = 0;
        update payments set amount = amount + 1 where employee = 'E-3'`),
    );
    const period = [`${PAYDAY.slice(0, 4)}-01-01`, `${PAYDAY.slice(0, 4)}-12-31`];
    const wrong = await run("reconcile.mjs", ...period);
    expect(wrong.output).toMatch(/^2 events had not arrived\.\n.*: 10003 here, 10002 there\n$/u);
    expect(wrong.status).toBe(1);
    expect((await ask("/employees/E-1")).body).toMatchObject({ status: "frozen" });
    store((db) => db.exec("update payments set amount = amount - 1 where employee = 'E-3'"));
    expect(await run("reconcile.mjs", ...period)).toEqual({
      status: 0,
      output: "0 events had not arrived.\nNo difference.\n",
    });
    expect(await rig.sweep()).toEqual([]);
  },
);
