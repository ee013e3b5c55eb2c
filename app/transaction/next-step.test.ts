import { describe, expect, test } from "vitest";
import { toNextStep } from "./next-step.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";

const card = { id: "card", status: "active", expired: false } as const;

const declined = (reason: string) => ({ reason, forced: false });

describe("after a decline", () => {
  test.each(DECLINE_REASONS)("that was forced with %s, nothing needs to be done", (reason) => {
    expect(toNextStep({ reason, forced: true }, card)).toBeNull();
  });

  test("by a rule, the next step follows from the card as it is now", () => {
    expect(toNextStep(declined("insufficient_funds"), card)).toMatchObject({ act: "credit" });
    const expired = { ...card, expired: true };
    expect(toNextStep(declined("insufficient_funds"), expired)).toBeNull();
    const frozen = { ...card, status: "frozen" } as const;
    expect(toNextStep(declined("card_frozen"), frozen)).toMatchObject({ act: "unfreeze" });
    expect(toNextStep(declined("card_frozen"), card)).toMatchObject({
      text: expect.stringContaining("since been unfrozen"),
    });
    expect(toNextStep(declined("card_closed"), card)).toMatchObject({ href: "/cards" });
    expect(toNextStep(declined("currency_mismatch"), card)).toBeNull();
  });
});
