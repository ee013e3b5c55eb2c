import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { anyAct } from "#test/money/money-acts.ts";
import { Life } from "#test/money/money-life.ts";
import type { MoneyWorld } from "#test/money/money-world.ts";
import { times } from "./length.ts";
import { issueCard, newAccount, newProcessorKey, send } from "./load.ts";
import { rig, useRig } from "./each-rig.ts";

/** As lib/purchases/money-model.test.ts, over two servers: each request of a life goes to one or the other. */

const STEPS = times({ short: 3_000, long: 1_000_000 });
const STEPS_OF_LIFE = 200;
const SIDE_BY_SIDE = 16;
/** The long run takes hours, and says how far it is. */
const LIVES_PER_LINE = 100;
/** This only ends a run that hangs. */
const TIME_MAX_MS = times({ short: 300_000, long: 12 * 3_600_000 });
const SEED = Number(process.env["MODEL_SEED"] ?? Date.now());

useRig({ environment: { TRUSTED_PROXIES: "1" } });

let opened: ReturnType<typeof openDatabase>;
let world: MoneyWorld;

beforeAll(async () => {
  const servers = [rig, await rig.startAnother()];
  opened = openDatabase(rig.database.ownerUrl, { max: SIDE_BY_SIDE });
  world = { db: opened.db, processorKey: await newProcessorKey(rig), open, call: toCall(servers) };
});

afterAll(() => opened.close());

const open: MoneyWorld["open"] = async ({ float, balance, singleUse }) => {
  const account = await newAccount(rig, float + singleUse.length * balance);
  const { integratorId: id, headers } = account;
  const cardIds: string[] = [];
  for (const each of singleUse) {
    const cardId = await issueCard(rig, account, { singleUse: each });
    const body = { card_id: cardId, amount: balance };
    await send(rig, "PATCH /cards/credit/balance", { headers, body });
    cardIds.push(cardId);
  }
  return { id, apiKey: (headers["Authorization"] ?? "").replace("Bearer ", ""), cardIds };
};

/** Requests go to the servers in turn, and so do the repeats of one. */
function toCall(servers: readonly { baseUrl: string }[]): MoneyWorld["call"] {
  let sent = 0;
  return async (line, { key, body, headers }) => {
    const [method = "", path = ""] = line.split(" ");
    sent += 1;
    const answer = await fetch(`${servers[sent % servers.length]?.baseUrl}${path}`, {
      method,
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { text, json: JSON.parse(text) };
  };
}

test(
  `${STEPS} actions on money and cards over two servers, with any repeats, match the model`,
  async () => {
    let lives = 0;
    let steps = 0;
    let lived = 0;
    const live = async () => {
      while (steps < STEPS) {
        const seed = SEED + lives;
        lives += 1;
        steps += STEPS_OF_LIFE;
        await liveOnce(seed);
        lived += 1;
        if (lived % LIVES_PER_LINE === 0) {
          process.stdout.write(`${lived * STEPS_OF_LIFE} of ${STEPS} actions match the model.\n`);
        }
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, live));
    expect(await rig.sweep()).toEqual([]);
  },
  TIME_MAX_MS,
);

/** @throws Error naming the seed and the step, with which the life can be repeated: set MODEL_SEED. */
async function liveOnce(seed: number): Promise<void> {
  const life = await Life.begin(world);
  const acts = fc.sample(fc.tuple(anyAct, fc.boolean()), { seed, numRuns: STEPS_OF_LIFE });
  for (const [at, [act, repeated]] of acts.entries()) {
    try {
      await life.live(act, repeated);
    } catch (cause) {
      throw new Error(`The life of seed ${seed} differs from the model at step ${at}.`, { cause });
    }
  }
}
