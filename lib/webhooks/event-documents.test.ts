import { sql } from "drizzle-orm";
import { decide, newApproval, reject } from "#test/scene/approvals.ts";
import { changeUnguarded } from "#test/scene/scene.ts";
import { newStaff } from "#test/scene/staff.ts";
import { beforeAll, expect, test } from "vitest";
import { and, eq } from "drizzle-orm";
import { createChecker, readDocument } from "#test/scene/document.ts";
import type { ServedDocument } from "#test/scene/document.ts";
import { runCommand } from "#test/scene/client-command.ts";
import type { Ran } from "#test/scene/client-command.ts";
import { newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { testDatabase } from "#test/database/database.ts";
import { events } from "#db/schema/events.ts";
import { issueApiKey } from "#lib/access/api-keys.ts";
import { expireApprovals } from "#lib/approvals/expire-approvals.ts";
import { announceKeyEnds } from "#lib/access/key-ends.ts";
import { toEventSentence } from "#app/(dashboard)/developers/events/event-sentence.ts";
import type { SentenceEvent } from "#app/(dashboard)/developers/events/event-sentence.ts";
import { toAuditSentence } from "#lib/audit/audit-sentence.ts";
import { API_VERSION_NEWEST } from "#lib/base/api-versions.ts";
import { DECLARED } from "#lib/events/declared.ts";
import { announceOne } from "#lib/operator/announce-restore.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { listAudit } from "#lib/record/audit.ts";
import type { AuditEntry } from "#lib/record/audit.ts";
import { EVENTS } from "#lib/record/declared-events.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import { toPlainText } from "#lib/sentences/say.ts";

type Recorded = SentenceEvent & { request_id: string };

let document: ServedDocument;
let check: ReturnType<typeof createChecker>;
let ran: Map<EventName, Ran>;
let recorded: Map<string, Recorded>;
let audited: Map<EventName, readonly AuditEntry[]>;

const A_TOP_UP = { operation: "topUpFloat", body: { amount: 10 } };

/** How what no API key can trigger happens. */
const CAUSES: Partial<Record<EventName, (mine: TestIntegrator) => Promise<unknown>>> = {
  "account.restored": ({ id: integratorId }) =>
    announceOne(testDatabase().db, { integratorId, apiVersion: API_VERSION_NEWEST }, new Date()),
  "approval.requested": (mine) => newApproval(mine),
  "approval.approved": async (mine) =>
    decide(await newStaff(mine.id, "owner"), await newApproval(mine, A_TOP_UP)),
  "approval.rejected": async (mine) =>
    reject(await newStaff(mine.id, "owner"), await newApproval(mine)),
  "approval.expired": async (mine) => {
    const id = await newApproval(mine);
    await changeUnguarded(
      sql`update approvals set expires_at = clock_timestamp() - interval '1 second' where id = ${id}`,
    );
    await expireApprovals(testDatabase().db);
  },
  "api_key.expiring": async (mine) => {
    const key = { name: "Old key", scopes: ["cards:read"], expiresInDays: 1 } as const;
    await write(mine, (ctx) => issueApiKey(ctx, key));
    await announceKeyEnds(testDatabase().db);
  },
};

/** Each event happens as its declaration says, in an account of its own. */
beforeAll(async () => {
  document = await readDocument();
  check = createChecker(document);
  ran = new Map();
  recorded = new Map();
  audited = new Map();
  for (const name of EVENT_NAMES) {
    const mine = await newIntegrator(0);
    await write(mine, (ctx) => updateAccount(ctx, { webhookUrl: "https://hooks.example.com/" }));
    if (DECLARED[name].trigger === null) {
      await CAUSES[name]?.(mine);
    } else {
      ran.set(name, await runCommand(`trigger ${name}`, mine.apiKey));
    }
    const all = await readRecorded(and(eq(events.integratorId, mine.id), eq(events.event, name)));
    const event = all.at(-1);
    if (event) {
      recorded.set(name, JSON.parse(event.body));
    }
    audited.set(name, (await listAudit(reading(mine), { limit: 100 })).rows);
  }
});

test.each(EVENT_NAMES.filter((name) => DECLARED[name].trigger !== null))(
  "%s happens in a new account when it is triggered",
  (event) => {
    expect(ran.get(event)).toMatchObject({ exitCode: 0 });
  },
);

const CONTEXT = { currency: "USD", names: new Map<string, string>() };

test.each(EVENT_NAMES.filter((name) => Object.keys(DECLARED[name].actions).length > 0))(
  "the audit log records the same as %s, in the same words",
  (name) => {
    const event = recorded.get(name);
    const entry = audited
      .get(name)
      ?.find(
        ({ action, requestId }) =>
          requestId === event?.request_id && action in DECLARED[name].actions,
      );
    const sentence = event && toPlainText(toEventSentence(event, CONTEXT));
    expect(sentence).toBeDefined();
    expect(entry && toPlainText(toAuditSentence(entry, CONTEXT))).toBe(sentence);
  },
);

function toMembers(event: string): string[] {
  return Object.keys(recorded.get(event)?.data ?? {}).toSorted();
}

test("the OpenAPI document describes exactly the existing events", () => {
  const summaries = Object.entries(document.webhooks).map(([event, { post }]) => [
    event,
    post.summary,
  ]);
  expect(Object.fromEntries(summaries)).toEqual(EVENTS);
});

test.each(EVENT_NAMES)(
  "%s, as recorded and as shown in the OpenAPI document, is what that document says of it",
  (event) => {
    const content = document.webhooks[event]?.post.requestBody?.content["application/json"];
    const { schema = {}, example } = content ?? {};
    expect(check(schema, recorded.get(event))).toBeNull();
    expect(check(schema, example)).toBeNull();
    // Other events are not.
    const others = [...recorded].filter(([name]) => name !== event).map(([, other]) => other);
    expect(others.every((other) => check(schema, other) !== null)).toBe(true);
    const shown = Object.keys(Object(example).data).toSorted();
    expect(event === "integrator.updated" ? toMembers(event) : shown).toEqual(toMembers(event));
  },
);
