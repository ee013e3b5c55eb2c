import type { APIRequestContext, Page } from "@playwright/test";
import { typeCredit } from "./dialogs.ts";
import { callApi, expect, newCard, test, valueOf } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";

/** Holds back the answers to requests for this page until it is released. */
async function holdPage(page: Page, path: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      await released;
      await route.continue();
    },
  );
  return release;
}

/** Notes each balance that is painted although its page does not say that it is being refreshed. */
async function watchBalances(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const shown = new Set<string>();
    Object.assign(window, { shown });
    const look = () => {
      const main = document.querySelector("main");
      const [, balance] = /Balance\s*(?<amount>\$[\d.]+)/u.exec(main?.innerText ?? "") ?? [];
      if (main && balance && getComputedStyle(main).opacity === "1") {
        shown.add(balance);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => [...("shown" in window ? (window.shown as Set<string>) : [])]);
}

/** Expects whatever is shown to be dimmed until the page has its new balance, $5.00. */
async function expectRenewed(
  page: Page,
  path: string,
  comeBack: () => Promise<unknown>,
): Promise<void> {
  const readShown = await watchBalances(page);
  const release = await holdPage(page, path);
  await comeBack();
  await expect(page.locator("main")).toHaveCSS("opacity", "0.5");
  release();
  await expect(valueOf(page, "Balance")).toHaveText("$5.00");
  await expect(page.locator("main")).toHaveCSS("opacity", "1");
  await expect.poll(readShown).toEqual(["$5.00"]);
}

test("going back never shows an old balance as if it were current", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000 });
  const path = `/cards/${card.id}`;
  await owner.goto(path);
  const trail = owner.getByRole("navigation", { name: "Breadcrumb" });
  await trail.getByRole("link", { name: "Cards" }).click();
  await expect(owner.getByRole("heading", { name: "Cards", exact: true })).toBeVisible();
  await credit(request, account, { card_id: card.id, amount: 500 });
  await expectRenewed(owner, path, () => owner.goBack());
});

test("going forward never shows an old balance as if it were current", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000 });
  const path = `/cards/${card.id}`;
  await owner.goto("/cards");
  await owner.getByRole("link", { name: card.name }).click();
  await expect(valueOf(owner, "Balance")).toHaveText("$0.00");
  await owner.goBack();
  await expect(valueOf(owner, "Balance")).toHaveCount(0);
  await credit(request, account, { card_id: card.id, amount: 500 });
  await expectRenewed(owner, path, () => owner.goForward());
});

test("a document that the browser has kept never shows an old balance as if it were current", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000 });
  const path = `/cards/${card.id}`;
  await owner.goto(path);
  await expect(valueOf(owner, "Balance")).toHaveText("$0.00");
  await credit(request, account, { card_id: card.id, amount: 500 });
  await expectRenewed(owner, path, () => showAgain(owner));
});

/** What a page notices when the browser shows it again; Playwright's browser keeps no documents. */
async function showAgain(page: Page): Promise<void> {
  await page.evaluate(() => {
    // Nothing is painted between the two.
    Reflect.get(window, "shown").clear();
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
}

test("balances in an open dialog follow what others change", async ({
  owner,
  account,
  request,
}) => {
  await owner.clock.install();
  const { card, dialog } = await typeCredit(owner, account, request);
  const balanceOf = (term: string) => valueOf(dialog, term);
  await expect(balanceOf("Float available")).toHaveText(/^\$100\.00.*\$95\.00$/u);
  await credit(request, account, { card_id: card.id, amount: 2_000 });
  await owner.clock.runFor(20_000);
  await expect(balanceOf("Float available")).toHaveText(/^\$80\.00.*\$75\.00$/u);
  await expect(balanceOf("Card available")).toHaveText(/^\$20\.00.*\$25\.00$/u);
  await expect(dialog.getByRole("textbox", { name: "Amount" })).toHaveValue("5");
  await expect(dialog.getByRole("textbox", { name: "Amount" })).toBeFocused();
});

test("returning from another tab renews the balances of an open dialog at once", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000, balance: 1_000 });
  await owner.clock.install();
  await owner.goto(`/cards/${card.id}?act=withdraw`);
  const dialog = owner.getByRole("dialog", { name: /^Withdraw all from /u });
  await expect(dialog.getByRole("button", { name: "Withdraw $10.00" })).toBeVisible();
  await credit(request, account, { card_id: card.id, amount: 500 });
  await owner.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(dialog.getByRole("button", { name: "Withdraw $15.00" })).toBeVisible();
  await expect(valueOf(dialog, "Card available")).toHaveText(/^\$15\.00.*\$0\.00$/u);
});

async function credit(
  request: APIRequestContext,
  account: Account,
  body: { card_id: string; amount: number },
): Promise<void> {
  await callApi(request, account, { path: "/cards/credit/balance", body });
}
