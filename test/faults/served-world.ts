import type { openDatabase } from "#db/client.ts";
import type { MoneyWorld } from "#test/money/money-world.ts";
import { issueCard, newAccount, newProcessorKey, send } from "./load.ts";
import type { Rig } from "./rig.ts";

/** Money on several servers: requests go to one after the other, and so do the repeats of one. */
export async function openServedWorld(
  rig: Rig,
  { db }: ReturnType<typeof openDatabase>,
): Promise<MoneyWorld> {
  const servers = [rig, await rig.startAnother()];
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
  return { db, processorKey: await newProcessorKey(rig), open, call: toCall(servers) };
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
