import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { callApi, expect, newCard, simulate, test, topUp } from "./fixtures.ts";

const MERCHANT = "Kiosk am Markt";
const NARRATIVE = "喫茶さくら 京都店 ☕️ <b>&amp;";

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on the screens of transactions, nor is anything cut off, ${colorScheme}`, async ({
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
    await owner.emulateMedia({ colorScheme, reducedMotion: "reduce" });
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
    for (const width of [1_280, 375]) {
      await owner.setViewportSize({ width, height: 812 });
      for (const [path, act] of places) {
        await owner.goto(path);
        await owner.waitForLoadState("networkidle");
        await act?.(owner);
        await expectSound(owner, `${path} at ${width}`);
      }
    }
  });
}

async function expectSound(page: Page, place: string): Promise<void> {
  if (place.includes("act=")) {
    await expect(page.getByRole("dialog")).toBeVisible();
  }
  const { violations } = await new AxeBuilder({ page }).exclude("[data-live-announcer]").analyze();
  expect(
    violations.map(({ id, nodes }) => `${place}: ${id} ${nodes.map(({ html }) => html).join(" ")}`),
  ).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([place, overflow]).toEqual([place, 0]);
}
