import type { Page } from "@playwright/test";
import { callApi, expect, newCard, simulate, test, topUp } from "./fixtures.ts";
import { expectSound } from "./sound.ts";

const MERCHANT = "Kiosk am Markt";
const NARRATIVE = "喫茶さくら 京都店 ☕️ <b>&amp;";

test("axe finds nothing on the screens of transactions, nor is anything cut off", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 100_000);
  const card = await newCard(request, account, { balance: 5_000 });
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
  const places: readonly [path: string, act?: (page: Page) => Promise<unknown>][] = [
    ["/overview"],
    ["/transactions"],
    ["/transactions?search=nothing&status=declined&amount_min=100"],
    ["/transactions", (page) => page.getByRole("button", { name: "Filters" }).click()],
    [`/transactions/${held.id}`],
    [`/transactions/${declined.id}`],
    [`/cards/${card.id}`],
    [`/cards/${card.id}?act=unfreeze`],
    [`/cards/${card.id}?act=simulate`],
    [
      `/cards/${card.id}?act=simulate`,
      async (page) => {
        await page.getByRole("button", { name: /Type/u }).click();
        await page.getByRole("option", { name: /^Expiry/u }).click();
        // The list of types is a dialog too, and stays in the page while it fades out.
        await expect(page.getByRole("dialog", { name: "Type" })).toHaveCount(0);
      },
    ],
    [`/transactions/${forced.id}`],
    [
      `/cards/${card.id}?act=simulate`,
      async (page) => {
        await page.getByRole("textbox", { name: "Amount" }).fill("1");
        await page
          .getByRole("dialog")
          .getByRole("button", { name: "Simulate", exact: true })
          .click();
        await page.getByText("$1.00 was declined.").waitFor();
        // The live announcement of the pending button stays in the page for some seconds after the button is gone.
        await expect(page.getByRole("log").getByRole("img")).toHaveCount(0);
      },
    ],
  ];
  for (const [path, act] of places) {
    await owner.goto(path);
    await act?.(owner);
    if (path.includes("act=")) {
      await expect(owner.getByRole("dialog")).toBeVisible();
    }
    await expectSound(owner);
  }
});
