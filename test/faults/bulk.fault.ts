import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import { rig, useRig } from "./each-rig.ts";
import { times } from "./length.ts";

useRig();

const KILLS = 5;
const CARDS = times({ short: 1_000, long: 10_000 });
const DONE_WITHIN_MS = 180_000;

interface Job {
  id: string;
  state: string;
  total: number;
  done: number;
}

async function ask(key: string, path: string, body?: object): Promise<Job> {
  const answer = await fetch(`${rig.baseUrl}${path}`, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) {
    throw new Error(`${path}: ${await answer.text()}`);
  }
  return ((await answer.json()) as { data: Job }).data;
}

/** Waits until a number has grown. */
async function passing(before: number, read: () => Promise<number>): Promise<void> {
  const deadline = Date.now() + DONE_WITHIN_MS;
  while ((await read()) <= before && Date.now() < deadline) {
    await sleep(5);
  }
}

test(`${KILLS} times kill -9 of the server while it does a job of ${CARDS} cards: each is frozen once`, async () => {
  const sql = postgres(rig.database.ownerUrl, { max: 1 });
  const { appUrl, ownerUrl } = rig.database;
  const scale = { cards: CARDS, transactionsPerCard: 1 };
  const account = await createScaledBooks({ appUrl, ownerUrl }, scale, { unguarded: true });
  const { id } = await ask(account.apiKey, "/bulk", { operation: "freeze", filter: {} });
  const countDone = async () => {
    const [row] = await sql<{ done: number }[]>`select done from bulk_jobs where id = ${id}`;
    return row?.done ?? Number.NaN;
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    await passing(await countDone(), countDone);
    const gone = once(rig.server, "exit");
    rig.server.kill("SIGKILL");
    await gone;
    await rig.restartServer();
  }
  const deadline = Date.now() + DONE_WITHIN_MS;
  let job = await ask(account.apiKey, `/bulk/${id}`);
  while (job.state === "running" && Date.now() < deadline) {
    await sleep(200);
    job = await ask(account.apiKey, `/bulk/${id}`);
  }
  expect(job).toMatchObject({ state: "completed", total: CARDS, done: CARDS });
  const [books] = await sql`
    select count(*)::int as changes, count(distinct card_id)::int as cards,
      (select count(*)::int from events where integrator_id = ${account.integratorId} and event = 'bulk.completed') as ends
    from card_state_changes where integrator_id = ${account.integratorId} and request_id = (select request_id from bulk_jobs where id = ${id})`;
  expect(books).toEqual({ changes: CARDS, cards: CARDS, ends: 1 });
  await sql.end();
});
