import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { freezeCard, move, unfreezeCard, write } from "#test/scene/fixtures.ts";
import { buy } from "#test/scene/spending.ts";
import { readMoment } from "#lib/base/moment.ts";
import { recordEvents, toNewSubject } from "#lib/record/events.ts";
import { readAudit, readRecorded } from "#test/scene/recorded-events.ts";
import { userSchema } from "#lib/api/contract/cardholder.ts";
import { cardSchema } from "#lib/api/contract/card.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { isLogSafe, toLayers } from "#lib/base/log-safe.ts";
import { updateCard } from "#lib/cards/card-update.ts";
import {
  ERASED_MEMBERS,
  isPersonalMember,
  mergePersonal,
  splitPersonal,
} from "#lib/record/personal-values.ts";
import { events } from "#db/schema/events.ts";

/** In an order that neither JavaScript's nor the database's JSON keeps by itself. */
const METADATA = { zeta: "1", b: "ü 😀 \u2028", "10": "ten", "9": "nine", long_key: '"' };

beforeAll(() => openCardAccount(1_000));

describe("a record in two parts", () => {
  const record = {
    data: { id: "1", card_name: "Kofi", freeze: { comment: "By phone", reason: "lost" } },
    previous: {
      freezes: [{ comment: null, level: "staff" }, { comment: "Here" }, 7],
      metadata: {},
    },
    after: JSON.parse('{"metadata":{"__proto__":"x","b":"1","a":null}}'),
  };

  test("has none of a cardholder's values in the part that stays", () => {
    const { kept, personal } = splitPersonal(record);
    expect(JSON.stringify(kept)).toBe(
      '{"data":{"id":"1","card_name":"Erased cardholder","freeze":{"comment":null,"reason":"lost"}},' +
        '"previous":{"freezes":[{"comment":null,"level":"staff"},{"comment":null},7],"metadata":{}},"after":{"metadata":{}}}',
    );
    expect(JSON.stringify(personal)).toBe(
      '{"data":{"card_name":"Kofi","freeze":{"comment":"By phone"}},"previous":{"freezes":[null,{"comment":"Here"},null]},' +
        '"after":{"metadata":{"__proto__":"x","b":"1","a":null}}}',
    );
  });

  test("is the same record again, byte for byte", () => {
    const { kept, personal } = splitPersonal(record);
    const stored: unknown = JSON.parse(JSON.stringify(personal));
    expect(JSON.stringify(mergePersonal(kept, stored as typeof personal))).toBe(
      JSON.stringify(record),
    );
  });

  test("without a value has one part", () => {
    expect(splitPersonal({ data: { id: "1", metadata: {}, comment: null } }).personal).toBeNull();
  });
});

/** The members of a resource that hold text, and are not known to be safe in a log. */
function toTextMembers(schema: z.core.$ZodType, name = ""): string[] {
  const layers = toLayers(schema);
  const object = layers.find((layer) => layer instanceof z.ZodObject);
  if (object) {
    return Object.entries(object.shape).flatMap(([member, inner]) => toTextMembers(inner, member));
  }
  const isText = layers.some(
    (layer) => layer instanceof z.ZodString || layer instanceof z.ZodRecord,
  );
  return isText && !layers.some((layer) => isLogSafe(layer)) ? [name] : [];
}

const NOT_PERSONAL = new Set(
  [
    // Of an address, which is personal as a whole.
    ["city", "country", "line1", "line2", "state", "zip_code"],
    // Of a merchant, which is a business, and of an actor, who is staff or a key.
    ["mcc", "name"],
    // Of the card itself.
    ["card_number", "design_type", "last4", "provider", "valid"],
    // A sentence of ours.
    ["decline_explanation"],
  ].flat(),
);

test("every text of a card, a cardholder, and a transaction is personal or known not to be", () => {
  const members = [cardSchema, userSchema, transactionSchema].flatMap((each) =>
    toTextMembers(each),
  );
  const others = members.filter((name) => !isPersonalMember(name));
  expect(others.filter((name) => !NOT_PERSONAL.has(name))).toEqual([]);
});

/** The names of all members of a resource. */
function toNames(schema: z.core.$ZodType): string[] {
  const object = toLayers(schema).find((layer) => layer instanceof z.ZodObject);
  return object
    ? Object.entries(object.shape).flatMap(([name, inner]) => [name, ...toNames(inner)])
    : [];
}

test("every erased member is one of a card, a cardholder, or a transaction", () => {
  const names = new Set([cardSchema, userSchema, transactionSchema].flatMap(toNames));
  expect([...ERASED_MEMBERS.keys()].filter((name) => !names.has(name))).toEqual([]);
});

describe("what was recorded about a card", () => {
  test("is sent as it happened, byte for byte, from a row without the cardholder's values", async () => {
    await write(integrator, (ctx) => updateCard(ctx, cardId, { metadata: METADATA }));
    await write(integrator, (ctx) =>
      freezeCard(ctx, cardId, { reason: "other", comment: "Ünique comment" }),
    );
    const recorded = await readRecorded(eq(events.subjectId, cardId));
    const [updated, frozen] = recorded.slice(-2);
    expect(updated?.body).toContain(`"metadata":${JSON.stringify(METADATA)}`);
    expect(frozen?.body).toContain('"comment":"Ünique comment","frozen_at"');
    const rows = await testDatabase().db.execute<{ stored: string }>(sql`
      select content as stored from events where subject_id = ${cardId}
      union all select concat(before, after) from audit_log where target_id = ${cardId}
      union all select row_to_json(c)::text from card_state_changes c where card_id = ${cardId}`);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ stored }) => /Ünique|Osei|zeta/u.test(stored))).toEqual([]);
  });

  test("stands in the audit log with members in the database's order", async () => {
    const [labeled] = await readAudit(integrator, { targetId: cardId, action: "card.updated" });
    const [row] = await testDatabase().db.execute<{ text: string }>(
      sql`select ${JSON.stringify({ metadata: METADATA })}::jsonb::text as text`,
    );
    expect(JSON.stringify(labeled?.after)).toBe(JSON.stringify(JSON.parse(row?.text ?? "")));
  });

  test("has a purchase's narrative from the transaction, and no value that a transaction does not have", async () => {
    await move(integrator, { kind: "credit", cardId, amount: 10 });
    await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
    const before = await countValues();
    await buy(integrator, { cardId, amount: 10, narrative: "KIOSK 1" });
    const [told] = (await readRecorded(eq(events.subjectId, cardId))).slice(-1);
    expect(told?.body).toContain('"narrative":"KIOSK 1","merchant":null');
    expect(await countValues()).toBe(before);
    const recording = write(integrator, async ({ tx, actor, request }) =>
      recordEvents(
        tx,
        { integratorId: integrator.id, apiVersion: "0.5.0" },
        {
          subjects: toNewSubject(cardId, await readMoment(tx)),
          drafts: [
            {
              event: "card.transaction",
              subject: { type: "card", id: cardId },
              actor: actor.ref,
              requestId: request.id,
              data: { narrative: "KIOSK 1", comment: "lost otherwise" },
            },
          ],
        },
      ),
    );
    await expect(recording).rejects.toThrow("has only the narrative");
  });

  test("leaves nothing more where there is nothing personal", async () => {
    const before = await countValues();
    await write(integrator, (ctx) => updateCard(ctx, cardId, { metadata: {} }));
    expect(await countValues()).toBe(before);
  });
});

async function countValues(): Promise<number> {
  const [row] = await testDatabase().db.execute<{ rows: number }>(
    sql`select count(*)::int as rows from personal_values where integrator_id = ${integrator.id}`,
  );
  return row?.rows ?? Number.NaN;
}
