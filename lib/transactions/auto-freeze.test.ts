import { expect, test } from "vitest";
import { toAutoFreezeText } from "#lib/transactions/auto-freeze.ts";

test.each([
  [1, "3 declines within 1 minute"],
  [90, "3 declines within 90 minutes"],
  [60, "3 declines within 1 hour"],
  [1_440, "3 declines within 24 hours"],
])("a rule of %i minutes is said as people do", (within_minutes, text) => {
  expect(toAutoFreezeText({ declines: 3, within_minutes, reasons: null })).toBe(text);
});

test("the reasons that count are named", () => {
  const rule = { declines: 5, within_minutes: 10 };
  const text = (reasons: string[]) => toAutoFreezeText({ ...rule, reasons });
  expect(text(["insufficient_funds"])).toBe("5 declines for insufficient funds within 10 minutes");
  expect(text(["card_expired", "insufficient_funds"])).toBe(
    "5 declines for card expired or insufficient funds within 10 minutes",
  );
});
