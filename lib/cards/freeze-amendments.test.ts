import { readFileSync } from "node:fs";
import { readAudit, readRecorded } from "#test/scene/recorded-events.ts";
import { beforeEach, expect, test } from "vitest";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { listCardActivity } from "#lib/transactions/card-activity.ts";
import { isProtective, REASONS_BY_SEVERITY } from "#lib/cards/card-state.ts";
import { events as eventTable } from "#db/schema/events.ts";
import { and, eq } from "drizzle-orm";

beforeEach(() => openCardAccount());

function freeze(reason?: string, comment?: string) {
  return call(`PATCH /cards/${cardId}/freeze`, {
    key: integrator.apiKey,
    body: { reason, comment },
  });
}

function unfreeze(body: object) {
  return call(`PATCH /cards/${cardId}/unfreeze`, { key: integrator.apiKey, body });
}

/** What the card's freezes have left: in its history, in the audit log, and as events. */
async function readTraces() {
  const { db } = testDatabase();
  const { rows } = await listCardActivity({ db, actor: integrator.actor }, cardId, { limit: 99 });
  const history = rows.flatMap((row) =>
    row.type === "state_change" && row.stateChange.to === "frozen" ? [row.stateChange] : [],
  );
  const entries = await readAudit(integrator, { targetId: cardId, action: "card.frozen" });
  const recorded = await readRecorded(
    and(eq(eventTable.subjectId, cardId), eq(eventTable.event, "card.frozen")),
  );
  const audit = entries.map(({ before, after }) => ({ before, after }));
  return { history: history.toReversed(), audit, events: recorded };
}

const MADE = { level: "cardholder", lifted: false, until: null };

test("a graver reason replaces a milder one, with its comment and actor, and leaves a record everywhere", async () => {
  const first = await freeze("cardholder_request", "By phone");
  const second = await freeze("stolen", "Police report");
  const { frozen_at } = (first.json as { freeze: { frozen_at: string } }).freeze;
  expect(second).toMatchObject({
    status: 200,
    json: {
      status: "frozen",
      status_version: 3,
      freeze: { frozen_at, reason: "stolen", comment: "Police report" },
    },
  });
  const { history, audit, events } = await readTraces();
  expect(history).toEqual([
    { ...MADE, from: "active", to: "frozen", reason: "cardholder_request", comment: "By phone" },
    { ...MADE, from: "frozen", to: "frozen", reason: "stolen", comment: "Police report" },
  ]);
  expect(audit).toEqual([
    {
      before: { status: "active" },
      after: {
        status: "frozen",
        reason: "cardholder_request",
        comment: "By phone",
        level: "cardholder",
      },
    },
    {
      before: { status: "frozen", reason: "cardholder_request" },
      after: {
        status: "frozen",
        reason: "stolen",
        comment: "Police report",
        standing_reason: "stolen",
        level: "cardholder",
      },
    },
  ]);
  expect(events).toMatchObject([
    {
      data: { amended: false, given_reason: "cardholder_request" },
      previous: { status: "active" },
    },
    {
      data: { amended: true, given_reason: "stolen", freeze: { reason: "stolen" } },
      previous: { status: "frozen", freeze: { reason: "cardholder_request", comment: "By phone" } },
    },
  ]);
});

test("a milder reason is recorded once, and never replaces a graver one", async () => {
  await freeze("compliance", "Case 7");
  for (let repeat = 0; repeat < 3; repeat += 1) {
    expect(await freeze("cardholder_request", "Lost it")).toMatchObject({
      status: 200,
      json: { status_version: 3, freeze: { reason: "compliance", comment: "Case 7" } },
    });
  }
  const { history, audit, events } = await readTraces();
  expect(history.map(({ reason }) => reason)).toEqual(["compliance", "cardholder_request"]);
  expect(audit[1]?.after).toMatchObject({
    reason: "cardholder_request",
    standing_reason: "compliance",
  });
  expect(events[1]?.data).toMatchObject({
    amended: true,
    given_reason: "cardholder_request",
    freeze: { reason: "compliance" },
  });
});

test("the same reason, none, and a late repeat of an earlier one change nothing", async () => {
  await freeze("cardholder_request");
  const { json } = await freeze("stolen");
  for (const reason of ["stolen", undefined, "cardholder_request"]) {
    expect(await freeze(reason, "Again")).toMatchObject({ status: 200, json });
  }
  const { history, audit, events } = await readTraces();
  expect([history.length, audit.length, events.length]).toEqual([2, 2, 2]);
});

test("every pair of reasons stands for the graver one, whichever comes first", async () => {
  for (const [at, milder] of REASONS_BY_SEVERITY.entries()) {
    const graver = REASONS_BY_SEVERITY[at + 1];
    for (const order of graver
      ? [
          [milder, graver],
          [graver, milder],
        ]
      : []) {
      for (const reason of order) {
        await freeze(reason, "Said");
      }
      const { json } = await call(`GET /cards/${cardId}`, { key: integrator.apiKey });
      expect(json).toMatchObject({ freeze: { reason: graver } });
      await unfreeze({});
    }
  }
});

test("an unfreeze that has seen the milder reason is refused, and the next freeze starts anew", async () => {
  const seen = (await freeze("cardholder_request")).json as { status_version: number };
  await freeze("compliance");
  expect(await unfreeze({ status_version: seen.status_version })).toMatchObject({
    status: 409,
    json: { code: "card_status_changed" },
  });
  await unfreeze({});
  expect(await freeze("lost")).toMatchObject({ json: { freeze: { reason: "lost" } } });
  expect(await freeze("compliance")).toMatchObject({ json: { freeze: { reason: "compliance" } } });
});

test("the guide lists the reasons in the order of their severity, the protective ones last", () => {
  const guide = readFileSync("docs/freezes.md", "utf8").replaceAll(/\s+/gu, " ");
  expect(guide).toContain(REASONS_BY_SEVERITY.map((reason) => `\`${reason}\``).join(", "));
  expect(REASONS_BY_SEVERITY.filter(isProtective)).toEqual(REASONS_BY_SEVERITY.slice(-6));
});
