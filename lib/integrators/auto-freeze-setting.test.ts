import { beforeEach, expect, test } from "vitest";
import { ask, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { readAudit } from "#test/scene/recorded-events.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { COUNTED_REASONS } from "#lib/transactions/decline-rules.ts";

beforeEach(() => openCardAccount());

const RULE = { declines: 3, within_minutes: 10, reasons: null };

const setRule = (auto_freeze: object | null) =>
  ask("PATCH /card-integrators/settings", { auto_freeze });

test("is in the account, and each change of it is an event and in the audit log", async () => {
  expect(await ask("GET /card-integrators/me")).toMatchObject({
    json: { data: { auto_freeze: null } },
  });
  const reasons = ["insufficient_funds", "currency_mismatch", "insufficient_funds"];
  const kept = { ...RULE, reasons: ["currency_mismatch", "insufficient_funds"] };
  expect(await setRule({ ...RULE, reasons })).toMatchObject({
    status: 200,
    json: { data: { auto_freeze: kept } },
  });
  expect(await setRule(kept)).toMatchObject({ status: 200 });
  expect(await setRule(null)).toMatchObject({ json: { data: { auto_freeze: null } } });
  const changes = await readAudit(integrator, { targetId: integrator.id });
  expect(changes.slice(-2)).toMatchObject([
    { before: { auto_freeze: null }, after: { auto_freeze: kept } },
    { before: { auto_freeze: kept }, after: { auto_freeze: null } },
  ]);
  expect(changes).toHaveLength(3);
  expect((await eventsOf(integrator, integrator.id)).slice(-2)).toMatchObject([
    { data: { auto_freeze: kept }, previous: { auto_freeze: null } },
    { data: { auto_freeze: null }, previous: { auto_freeze: kept } },
  ]);
});

const COUNT = "This field must be a whole number from 2 to 100.";
const MINUTES = "This field must be a whole number from 1 to 1440.";
const REASONS = `This field must be null or a list of one or more of ${COUNTED_REASONS.join(", ")}.`;

test.each([
  [{ ...RULE, declines: 1 }, { "auto_freeze.declines": [COUNT] }],
  [{ ...RULE, declines: 101 }, { "auto_freeze.declines": [COUNT] }],
  [{ ...RULE, declines: "3" }, { "auto_freeze.declines": [`${COUNT} Send it without quotes.`] }],
  [{ ...RULE, within_minutes: 0 }, { "auto_freeze.within_minutes": [MINUTES] }],
  [{ ...RULE, within_minutes: 1_441 }, { "auto_freeze.within_minutes": [MINUTES] }],
  [{ ...RULE, reasons: [] }, { "auto_freeze.reasons": [REASONS] }],
  [{ ...RULE, reasons: "lost" }, { "auto_freeze.reasons": [REASONS] }],
  [{ ...RULE, reasons: ["card_frozen"] }, { "auto_freeze.reasons.0": [REASONS] }],
  [{ declines: 3, within_minutes: 10 }, { "auto_freeze.reasons": ["This field is required."] }],
])("%j is refused, and the error names the member and what is allowed", async (rule, errors) => {
  expect(await setRule(rule)).toMatchObject({ status: 422, json: { errors } });
});
