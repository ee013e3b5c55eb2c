import type { Page } from "@playwright/test";
import {
  callApi,
  comeToLife,
  expect,
  newCard,
  readCard,
  test,
  topUp,
  valueOf,
} from "./fixtures.ts";
import { SIDE_BAR } from "./side-bar.ts";

/** Every screen works by keyboard and on a small screen. `sound.spec.ts` looks at all of them with axe. */

test("by keyboard alone: sign in, find a card, freeze it, credit another", async ({
  page,
  account,
  request,
}) => {
  const first = await newCard(request, account, { float: 100_000, name: "Aiko Mori" });
  let keystrokes = 0;
  const press = (key: string) => {
    keystrokes += 1;
    return page.keyboard.press(key);
  };
  const type = (text: string) => {
    keystrokes += text.length;
    return page.keyboard.type(text);
  };

  await page.goto("/sign-in");
  await expect(page.getByLabel("Email")).toBeFocused();
  await type(account.email);
  await press("Tab");
  await type(account.password);
  await press("Enter");
  await page.waitForURL("**/overview");
  await comeToLife(page);

  await press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  keystrokes = 0;
  await type(first.last4);
  await choose(page, /Freeze Aiko Mori/u, press);
  const freeze = page.getByRole("dialog", { name: /^Freeze Aiko Mori •••• /u });
  const reason = freeze.getByRole("combobox", { name: "Reason" });
  await expect(reason).toBeFocused();
  await press("l");
  await expect(reason).toHaveValue("lost");
  await press("Control+Enter");
  await expect(page.getByText(/^Frozen by Ada Winter .*: lost/u)).toBeVisible();
  expect(keystrokes).toBeLessThanOrEqual(8);
  // The element that had the focus is gone with its page.
  await expect(page.getByRole("main")).toBeFocused();

  const second = await newCard(request, account, { name: "Owen Walsh" });
  await press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await type(second.last4);
  await choose(page, /^Owen Walsh/u, press);
  await page.waitForURL(`**/cards/${second.id}`);
  await tabTo(page, "Credit");
  await press("Enter");
  await expect(page.getByRole("textbox", { name: "Amount" })).toBeFocused();
  await press("Escape");
  await expect(page.getByRole("button", { name: "Credit", exact: true })).toBeFocused();
  await press("Enter");
  await expect(page.getByRole("textbox", { name: "Amount" })).toBeFocused();
  await type("12.50");
  await press("Enter");
  await expect(valueOf(page, "Balance")).toHaveText("$12.50");
  const frozen = await readCard(request, account, first.id);
  expect(frozen.status).toBe("frozen");

  await expect(page.getByRole("dialog")).toHaveCount(0);
  await type("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await type("gc");
  await page.waitForURL("**/cards");
  await expect(page.getByRole("heading", { level: 1, name: "Cards" })).toBeVisible();
  await type("/gf");
  await expect(page.getByRole("searchbox", { name: "Search cards" })).toHaveValue("gf");
  await expect(page).toHaveURL(/\/cards/u);
  await page.goto("/overview");
  const days = page.getByRole("slider", { name: "Float, day by day" });
  await days.focus();
  await press("ArrowRight");
  await expect(days).toHaveAttribute("aria-valuetext", /: Float \$987\.50$/u);
});

/** Moves to an option with the arrow keys, and selects it. */
async function choose(
  page: Page,
  name: RegExp,
  press: (key: string) => Promise<void>,
): Promise<void> {
  const option = page.getByRole("option", { name });
  await option.waitFor();
  for (let presses = 0; presses < 20; presses += 1) {
    if ((await option.getAttribute("data-focused")) !== null) {
      await press("Enter");
      return;
    }
    await press("ArrowDown");
  }
  throw new Error(`The arrow keys do not lead to ${name}.`);
}

/** Presses Tab until a button with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const target = page.getByRole("button", { name, exact: true });
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((button) => button === document.activeElement)) {
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`The tab key does not lead to ${name}.`);
}

test("the theme that is chosen stays, whatever the system prefers", async ({ owner }) => {
  await owner.goto("/overview");
  await owner.emulateMedia({ colorScheme: "light" });
  await owner.getByRole("button", { name: /^Ada Winter/u }).click();
  await owner.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(owner.locator("html")).toHaveAttribute("data-theme", "dark");
  await owner.reload();
  await expect(owner.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("at 375 pixels, the menu leads everywhere", async ({ owner }) => {
  await owner.goto("/overview");
  await owner.setViewportSize({ width: 375, height: 812 });
  await owner.getByRole("button", { name: "Open menu" }).click();
  const menu = owner.getByRole("dialog", { name: "Menu" });
  for (const href of SIDE_BAR) {
    await expect(menu.locator(`a[href="${href}"]`)).toBeVisible();
  }
  await menu.getByRole("link", { name: "Cards" }).click();
  await owner.waitForURL("**/cards");
});

test("the pages load nothing from elsewhere and nothing ahead of a click, and run under their policy", async ({
  owner,
  baseURL,
}) => {
  const elsewhere: string[] = [];
  const ahead: string[] = [];
  const refused: string[] = [];
  owner.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`) && !request.url().startsWith("data:")) {
      elsewhere.push(request.url());
    }
    if (request.headers()["next-router-prefetch"] !== undefined) {
      ahead.push(request.url());
    }
  });
  owner.on("console", (message) => {
    if (message.type() === "error") {
      refused.push(message.text());
    }
  });
  for (const path of ["/overview", "/cards", "/float", "/settings/security", "/docs/api/getCard"]) {
    await owner.goto(path);
    await owner.waitForLoadState("networkidle");
  }
  expect(elsewhere).toEqual([]);
  expect(ahead).toEqual([]);
  expect(refused).toEqual([]);
});

test("the arrow keys pass over an entry that leads nowhere", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 2_000, balance: 1_000 });
  await topUp(request, account, 500);
  await callApi(request, account, {
    path: "/cards/credit/balance",
    body: { card_id: card.id, amount: 500 },
  });
  await owner.goto("/float");
  const links = owner.locator("tbody").getByRole("link");
  await expect(links).toHaveCount(2);
  await links.first().focus();
  await owner.keyboard.press("ArrowDown");
  await expect(links.nth(1)).toBeFocused();
});
