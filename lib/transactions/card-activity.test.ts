import { beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { ACTIVITY_TYPES, listCardActivity } from "#lib/transactions/card-activity.ts";
import type { Activity } from "#lib/transactions/card-activity.ts";
import { watchStatements } from "#db/statements.ts";

let integrator: TestIntegrator;
let cardId: string;

/** A round writes one entry of each type, so that no two neighbors are of the same. */
const ROUNDS = 3;

beforeAll(async () => {
  integrator = await newIntegrator(10_000);
  cardId = (await newCard(integrator, 1_000)).id;
  const send = (line: string, body?: unknown) => call(line, { key: integrator.apiKey, body });
  for (let round = 0; round < ROUNDS; round += 1) {
    await send("PATCH /cards/debit/balance", { card_id: cardId, amount: 1 });
    await send(`PATCH /cards/${cardId}/${round % 2 === 0 ? "freeze" : "unfreeze"}`);
    await send("PATCH /cards/debit/balance", { card_id: cardId, amount: 9_999 });
    await send(`POST /cards/${cardId}/notes`, { comment: `Note ${round}` });
  }
  await flushApiLog();
});

const list = (type?: Activity["type"], cursor?: string, limit = 100) =>
  listCardActivity(reading(integrator), cardId, { type, cursor, limit });

/** All entries of a type, two on a page. */
async function collect(type: Activity["type"]): Promise<Activity[]> {
  const found: Activity[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(type, cursor, 2);
    found.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

test.each(ACTIVITY_TYPES)("a timeline of %s alone has all of them, page by page", async (type) => {
  const { rows } = await list();
  const own = rows.filter((entry) => entry.type === type);
  expect(own.length).toBeGreaterThanOrEqual(ROUNDS);
  expect(await collect(type)).toEqual(own);
});

test.each([
  ["transaction", "transactions"],
  ["state_change", "card_state_changes"],
  ["refused_attempt", "api_log"],
  ["note", "audit_log"],
] as const)("a timeline of %s alone reads only %s", async (type, table) => {
  const sources = ["transactions", "card_state_changes", "api_log", "audit_log"];
  const sent: string[] = [];
  watchStatements((text) => void sent.push(text));
  await list(type);
  watchStatements(undefined);
  const read = sources.filter((each) => sent.some((text) => text.includes(`from "${each}"`)));
  expect(read).toEqual([table]);
});
