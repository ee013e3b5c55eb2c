import { afterAll, beforeAll } from "vitest";
import { openDatabase } from "#db/client.ts";
import type { MoneyWorld } from "#test/money/money-world.ts";
import { issueCard, newAccount, newProcessorKey, send } from "./load.ts";
import { rig } from "./each-rig.ts";

/** Money on two servers: requests go to one after the other, and so do the repeats of one. */
export let world: MoneyWorld;

let database: ReturnType<typeof openDatabase>;

/** Opens the world on the rig of this file. @param connections to its database, for what the tests read there. */
export function useServedWorld(connections: number): void {
  beforeAll(async () => {
    database = openDatabase(rig.database.ownerUrl, { max: connections });
    const call = toCall([rig, await rig.startAnother()]);
    world = { db: database.db, processorKey: await newProcessorKey(rig), open, call };
  });
  afterAll(() => database.close());
}

async function open({ float, balance, singleUse }: Parameters<MoneyWorld["open"]>[0]) {
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
}

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
