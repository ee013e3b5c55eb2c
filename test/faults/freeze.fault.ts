import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newClient, newProcessorKey } from "./load.ts";
import type { Client } from "./load.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

let rig: Rig;
let client: Client;
let processorKey: string;

const AUTHORIZATIONS = 1_000;
const SIDE_BY_SIDE = 50;
const BEFORE_FREEZE = 200;
const FUNDS = 100_000;

beforeEach(async () => {
  rig = await startRig();
  client = await newClient(rig);
  processorKey = await newProcessorKey(rig);
  const credited = await fetch(`${rig.baseUrl}/cards/credit/balance`, {
    method: "PATCH",
    headers: client.headers,
    body: JSON.stringify({ card_id: client.cardId, amount: FUNDS }),
  });
  expect(credited.status).toBe(200);
});

afterEach(() => rig.stop());

interface Authorizing {
  startedAt: number;
  status: number;
  decision: string;
}

/** Retries a 503 under the same reference until there is a decision, as a processor does. */
async function authorize(): Promise<Authorizing> {
  const reference = randomUUID();
  const firstAt = performance.now();
  for (;;) {
    const startedAt = performance.now();
    const answer = await fetch(`${rig.baseUrl}/processor/authorizations`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${processorKey}` },
      body: JSON.stringify({ reference, card_id: client.cardId, amount: 1, currency: "USD" }),
    });
    const body: { decision?: string; decline_reason?: string } = await answer.json();
    if (answer.status !== 503) {
      return {
        // A decision by an earlier attempt counts from that attempt.
        startedAt: answer.headers.has("idempotent-replayed") ? firstAt : startedAt,
        status: answer.status,
        decision: body.decline_reason ?? body.decision ?? "none",
      };
    }
  }
}

async function readCard(): Promise<{ held: number; approvals: number; declines: number }> {
  const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const [row] = await owner`
      select (select held::int from ledger_accounts where id = ${client.cardId}) as held,
        count(*) filter (where event = 'card.transaction')::int as approvals,
        count(*) filter (where event = 'card.transaction-declined')::int as declines
      from events where integrator_id = ${client.integratorId} and subject_id = ${client.cardId}`;
    return {
      held: Number(row?.["held"]),
      approvals: Number(row?.["approvals"]),
      declines: Number(row?.["declines"]),
    };
  } finally {
    await owner.end();
  }
}

test("a freeze racing 1,000 authorizations: none that started after its 200 is approved", async () => {
  const seen: Authorizing[] = [];
  let left = AUTHORIZATIONS;
  const workers = Array.from({ length: SIDE_BY_SIDE }, async () => {
    while (left > 0) {
      left -= 1;
      seen.push(await authorize());
    }
  });
  while (seen.length < BEFORE_FREEZE) {
    await sleep(1);
  }
  const frozen = await fetch(`${rig.baseUrl}/cards/${client.cardId}/freeze`, {
    method: "PATCH",
    headers: client.headers,
    body: JSON.stringify({ reason: "stolen" }),
  });
  const frozenAt = performance.now();
  expect(frozen.status).toBe(200);
  await Promise.all(workers);

  expect(seen).toHaveLength(AUTHORIZATIONS);
  expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
  const late = seen.filter(({ startedAt }) => startedAt > frozenAt);
  expect(late.length).toBeGreaterThan(AUTHORIZATIONS / 10);
  expect(new Set(late.map(({ decision }) => decision))).toEqual(new Set(["card_frozen"]));
  const approved = seen.filter(({ decision }) => decision === "approved").length;
  expect(approved).toBeGreaterThanOrEqual(BEFORE_FREEZE);
  expect(await readCard()).toEqual({
    held: approved,
    approvals: approved,
    declines: AUTHORIZATIONS - approved,
  });
  expect(await rig.sweep()).toEqual([]);
});
