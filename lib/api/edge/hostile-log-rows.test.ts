import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { log } from "#lib/base/log.ts";

/** 10,000 are no different; they take a minute. */
const HOSTILE_REQUESTS = 1_000;

let mine: TestIntegrator;

beforeAll(async () => {
  log.level = "silent";
  mine = await newIntegrator();
});

function credit(body: unknown): Promise<ApiReply> {
  return call("PATCH /cards/credit/balance", { key: mine.apiKey, body });
}

const HOSTILE: readonly ((n: number) => Promise<unknown>)[] = [
  (n) => call(`GET /cards?a%00${n}=%00`, { key: mine.apiKey }),
  (n) => call(`GET /cards/%00%ff%ed%a0%80${n}`, { key: mine.apiKey }),
  () => call("GET /cards/\ud800", { key: mine.apiKey }),
  (n) => call(`GET /cards?${"é".repeat(1_500)}=${n}`, { key: mine.apiKey }),
  () => credit(`{"card_id":"\\u0000","amount":1,"\\ud800":1}`),
  () =>
    credit(
      Object.fromEntries(Array.from({ length: 190 }, (_, at) => [`${at}${"é".repeat(160)}`, 1])),
    ),
  () => credit(`{"source":${"[".repeat(10_000)}${"]".repeat(10_000)}}`),
  (n) => credit({ card_id: "\u0001\u007f\ufffe".repeat(9_000), amount: n }),
  (n) =>
    call("PATCH /cards/credit/balance", {
      key: mine.apiKey,
      headers: {
        "Idempotency-Key": `\u00ff\u0080${n}`,
        "Api-Version": "\u00ff",
        "User-Agent": "\u0080",
      },
      body: {},
    }),
];

test(`${HOSTILE_REQUESTS} hostile requests lose nobody's row`, async () => {
  const quiet = await newIntegrator();
  const before = await countRows();
  for (let sent = 0; sent < HOSTILE_REQUESTS; sent += HOSTILE.length) {
    await Promise.all([
      ...HOSTILE.map((send) => send(sent)),
      call("GET /cards", { key: quiet.apiKey }),
    ]);
  }
  await flushApiLog();
  const rounds = Math.ceil(HOSTILE_REQUESTS / HOSTILE.length);
  expect(await countRows()).toBe(before + rounds * (HOSTILE.length + 1));
}, 120_000);

async function countRows(): Promise<number> {
  await flushApiLog();
  const [row] = await testDatabase().db.execute<{ rows: number }>(
    sql`select count(*)::int as rows from api_log where path <> ''`,
  );
  return row?.rows ?? Number.NaN;
}
