import { describe, expect, test } from "vitest";
import { toPlainText } from "#lib/sentences/say.ts";
import { toAuditSentence } from "#lib/audit/audit-sentence.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { AUDIT_ACTIONS } from "#lib/record/declared-actions.ts";
import type { AuditEntry } from "#lib/record/audit.ts";

const CARD = "0199b9a4-0000-7000-8000-000000000001";
const PERSON = "0199b9a4-0000-7000-8000-000000000002";
const NAMESAKE = "0199b9a4-0000-7000-8000-000000000004";
const TRANSACTION = "0199b9a4-0000-7000-8000-000000000003";

const context = {
  currency: "USD",
  names: new Map([
    [CARD, "Mei Tanaka •••• 5651"],
    [PERSON, "Bo Field"],
    [NAMESAKE, "Ada Winter"],
  ]),
};

function newEntry(action: string, members: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: TRANSACTION,
    actor: { type: "staff", id: PERSON, name: "Ada Winter" },
    action,
    targetType: "card",
    targetId: CARD,
    before: null,
    after: null,
    address: null,
    agent: null,
    requestId: "r",
    createdAt: new Date(0),
    ...members,
  };
}

const format = (action: string, members?: Partial<AuditEntry>) =>
  toPlainText(toAuditSentence(newEntry(action, members), context));

describe("an entry of the audit log reads as a sentence:", () => {
  test.each<[string, Partial<AuditEntry>, string]>([
    [
      "card.frozen",
      { after: { reason: "lost", comment: null } },
      "Ada Winter froze Mei Tanaka •••• 5651: lost",
    ],
    [
      "card.frozen",
      { after: { reason: "other", comment: "Left in a taxi" } },
      "Ada Winter froze Mei Tanaka •••• 5651: “Left in a taxi”",
    ],
    ["card.frozen", { after: { reason: null } }, "Ada Winter froze Mei Tanaka •••• 5651"],
    [
      "card.frozen",
      {
        before: { status: "frozen", reason: "lost" },
        after: { status: "frozen", reason: "compliance", level: "compliance" },
      },
      "Ada Winter set the compliance freeze of Mei Tanaka •••• 5651: compliance",
    ],
    [
      "card.credited",
      { after: { amount: 5_000, reference: TRANSACTION } },
      "Ada Winter credited Mei Tanaka •••• 5651 with $50.00",
    ],
    [
      "card.noted",
      { after: { comment: "Call back" } },
      "Ada Winter added a note to Mei Tanaka •••• 5651",
    ],
    [
      "card.noted",
      { after: { comment: "Call back", transaction_id: TRANSACTION } },
      "Ada Winter added a note to a transaction of Mei Tanaka •••• 5651",
    ],
    [
      "card.transaction-simulated",
      { after: { type: "expire", reference: TRANSACTION, status: "expired" } },
      "Ada Winter simulated an expiry on Mei Tanaka •••• 5651",
    ],
    [
      "card.transaction-simulated",
      { after: { type: "deduct", reference: TRANSACTION, status: "declined" } },
      "Ada Winter simulated a purchase on Mei Tanaka •••• 5651, which was declined",
    ],
    [
      "card.transaction-simulated",
      {
        after: {
          type: "deduct",
          reference: TRANSACTION,
          status: "declined",
          decline_with: "card_frozen",
        },
      },
      "Ada Winter simulated a purchase on Mei Tanaka •••• 5651, with a forced decline",
    ],
    [
      "staff.role_changed",
      {
        targetType: "staff",
        targetId: PERSON,
        before: { role: "viewer" },
        after: { role: "admin" },
      },
      "Ada Winter changed the role of Bo Field from viewer to admin",
    ],
    [
      "staff.sessions_revoked",
      { targetType: "staff", targetId: PERSON },
      "Ada Winter signed out of their other sessions",
    ],
    [
      "staff.sessions_revoked",
      { targetType: "staff", targetId: NAMESAKE },
      "Ada Winter signed Ada Winter out everywhere",
    ],
    [
      "integrator.updated",
      { before: { domain: "a.example" }, after: { domain: "b.example" } },
      "Ada Winter changed the domain from a.example to b.example",
    ],
    [
      "integrator.updated",
      { before: { low_balance_threshold: null }, after: { low_balance_threshold: 10_000 } },
      "Ada Winter changed the low-balance threshold to $100.00",
    ],
    [
      "integrator.updated",
      { before: { approval: null }, after: { approval: { threshold: 10_000, for_keys: true } } },
      "Ada Winter changed when moves need a second person to $100.00 or more within 24 hours, by API keys too",
    ],
    [
      "integrator.updated",
      { before: { approval: { threshold: 10_000, for_keys: false } }, after: { approval: null } },
      "Ada Winter changed when moves need a second person to never",
    ],
    [
      "unfreezeCard.refused",
      { after: { code: "scope_missing", detail: "This needs the scope." } },
      "Ada Winter tried to unfreeze Mei Tanaka •••• 5651. Refused: their role doesn't allow it",
    ],
    [
      "inviteStaff.refused",
      { targetType: "account", after: { code: "email_taken", detail: "The email is taken." } },
      "Ada Winter tried to invite a staff member. Refused: The email is taken.",
    ],
  ])("%s", (action, members, sentence) => {
    expect(format(action, members)).toBe(sentence);
  });
});

test("its card, its transaction, and its actor are links", () => {
  const sentence = toAuditSentence(
    newEntry("card.credited", { after: { amount: 100, reference: TRANSACTION } }),
    context,
  );
  expect(sentence.flatMap((part) => (typeof part === "string" ? [] : part.href))).toEqual([
    `/settings/audit-log?actor_id=${PERSON}`,
    `/cards/${CARD}`,
    `/transactions/${TRANSACTION}`,
  ]);
});

test("every action has a sentence, even with no members recorded", () => {
  for (const action of Object.keys(AUDIT_ACTIONS)) {
    const sentence = format(action);
    expect(sentence).toMatch(/^[A-Z].+/u);
    expect(sentence).not.toMatch(/refused\b.*Refused|make a request/u);
  }
});

test("every operation that staff can be refused is named as an attempt", () => {
  const named = OPERATIONS.filter(({ attempt }) => attempt !== null);
  const writing = OPERATIONS.filter(({ kind }) => kind === "write" || kind === "funds");
  expect(named).toEqual(writing);
});
