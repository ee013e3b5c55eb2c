import type { Page } from "@playwright/test";
import { pick } from "./dialogs.ts";
import { callApi, expect, newCard, simulate, test } from "./fixtures.ts";
import { expectAllSound, showDeclines } from "./sound.ts";

const MERCHANT = "Kiosk am Markt";
const NARRATIVE = "喫茶さくら 京都店 ☕️ <b>&amp;";

test("transactions, and what simulates them", async ({ owner, account, request }) => {
  const card = await newCard(request, account, { float: 100_000, balance: 5_000 });
  const about = { cardId: card.id, narrative: NARRATIVE.repeat(8), merchant: { name: MERCHANT } };
  const held = await simulate(request, account, { ...about, type: "authorize", amount: 900 });
  await simulate(request, account, {
    cardId: card.id,
    type: "capture",
    amount: 300,
    transaction_id: held.id,
  });
  await callApi(request, account, { path: `/cards/${card.id}/freeze` });
  const declined = await simulate(request, account, { ...about, type: "deduct", amount: 100 });
  const forced = await simulate(request, account, {
    ...about,
    type: "deduct",
    amount: 100,
    decline_with: "insufficient_funds",
  });
  await callApi(request, account, {
    method: "POST",
    path: `/cards/${card.id}/notes`,
    body: { comment: NARRATIVE, transaction_id: held.id },
  });
  await expectAllSound(owner, [
    "/overview",
    "/approvals",
    "/approvals?own",
    "/transactions",
    "/transactions?search=nothing&status=declined&amount_min=100",
    ["/transactions", (page) => page.getByRole("button", { name: "Filters" }).click()],
    ["/transactions", (page) => page.getByRole("button", { name: "Columns" }).click()],
    [
      "/transactions?range=today&density=compact",
      (page) => page.getByRole("button", { name: "Save view" }).click(),
    ],
    `/transactions/${held.id}`,
    `/transactions/${declined.id}`,
    `/cards/${card.id}?requests=shown`,
    `/cards/${card.id}?activity=refused_attempt`,
    [`/cards/${card.id}`, openSheet],
    [`/cards/${card.id}`, addNote],
    [`/transactions/${held.id}`, addNote],
    `/cards/${card.id}?act=unfreeze`,
    `/cards/${card.id}?act=simulate`,
    [`/cards/${card.id}?act=simulate`, chooseExpiry],
    `/transactions/${forced.id}`,
    ["/insights", showDeclines],
    [`/cards/${card.id}?act=simulate`, simulateOne],
  ]);
});

async function addNote(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

/** Where it is narrow, the actions of a card are in a sheet. */
async function openSheet(page: Page): Promise<void> {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

async function chooseExpiry(page: Page): Promise<void> {
  await pick(page.getByRole("dialog"), /Type/u, /^Expiry/u);
}

async function simulateOne(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Amount" }).fill("1");
  await page.getByRole("dialog").getByRole("button", { name: "Simulate", exact: true }).click();
  await page.getByText("$1.00 was declined.").waitFor();
  // The live announcement of the pending button stays in the page for some seconds after the button is gone.
  await expect(page.getByRole("log").getByRole("img")).toHaveCount(0);
}
