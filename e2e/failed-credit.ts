import type { Page } from "@playwright/test";
import { expect, newCard } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";

/** A credit that nobody has the money for, with a comment that the log does not keep. */
export async function failCredit(page: Page, account: Account, key = "credit-1"): Promise<string> {
  const { id } = await newCard(page.request, account);
  const answer = await page.request.patch("/api/cards/credit/balance", {
    headers: { Authorization: `Bearer ${account.apiKey}`, "Idempotency-Key": key },
    data: { card_id: id, amount: 2_000 },
  });
  expect(answer.status()).toBe(422);
  return id;
}
