import type { Page } from "@playwright/test";
import { callApi, expect, newCard, test, valueOf } from "./fixtures.ts";

/** A list and the record that is open beside it, on a screen with room for both. */

const WIDE = { width: 1_440, height: 600 };

const rowOf = (page: Page, name: string) =>
  page.getByRole("row", { name: new RegExp(name, "u") }).getByRole("link");
const panelOf = (page: Page, name: string) =>
  page.getByRole("region", { name: new RegExp(`^Card: ${name}`, "u") });

test("a row opens its card beside the list, and the keyboard moves on, into it, and back", async ({
  owner,
  account,
  request,
}) => {
  for (const name of ["Aiko Mori", "Mei Tanaka", "Owen Walsh"]) {
    await newCard(request, account, { name });
  }
  await owner.setViewportSize(WIDE);
  await owner.goto("/cards?status=active");
  await owner.getByRole("checkbox", { name: /^Select Aiko Mori/u }).check();
  const middle = owner.getByRole("row", { name: /Mei Tanaka/u });
  const before = await middle.boundingBox();
  // In the middle, beside the words of the link.
  await middle.click();
  const panel = panelOf(owner, "Mei Tanaka");
  await expect(panel.getByRole("heading", { name: "Mei Tanaka" })).toBeVisible();
  await expect(owner).toHaveURL(/\/cards\?status=active&open=/u);
  await expect(rowOf(owner, "Mei Tanaka")).toBeFocused();
  expect((await middle.boundingBox())?.y).toBe(before?.y);
  await expect(owner.getByText("1 selected")).toBeVisible();

  await owner.keyboard.press("ArrowDown");
  await expect(rowOf(owner, "Aiko Mori")).toBeFocused();
  await expect(panelOf(owner, "Aiko Mori")).toBeVisible();
  await owner.keyboard.press("ArrowUp");
  await owner.keyboard.press("ArrowUp");
  await expect(panelOf(owner, "Owen Walsh")).toBeVisible();
  await expect(rowOf(owner, "Owen Walsh")).toHaveAttribute("aria-current", "true");

  await panelOf(owner, "Owen Walsh").getByRole("button", { name: "Next record" }).click();
  await expect(panel).toBeVisible();
  await panel.getByRole("button", { name: "Freeze" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Freeze card" }).click();
  await expect(panel.getByText("Frozen by Ada Winter")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Unfreeze" })).toBeFocused();
  // The row has left the filtered list; the card stays.
  await expect(rowOf(owner, "Mei Tanaka")).toHaveCount(0);
  await panel.getByRole("button", { name: "Unfreeze" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Unfreeze card" }).click();
  await expect(rowOf(owner, "Mei Tanaka")).toHaveAttribute("aria-current", "true");

  await owner.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(rowOf(owner, "Mei Tanaka")).toBeFocused();
  await expect(owner).toHaveURL(/\/cards\?status=active$/u);
  await owner.keyboard.press("ArrowDown");
  await expect(rowOf(owner, "Aiko Mori")).toBeFocused();
  await expect(owner.getByRole("link", { name: "Close", exact: true })).toHaveCount(0);
  await owner.keyboard.press("Enter");
  await expect(panelOf(owner, "Aiko Mori")).toBeVisible();
  await panelOf(owner, "Aiko Mori").getByRole("link", { name: "Open", exact: true }).click();
  await owner.waitForURL(/\/cards\/[^?]+$/u);
  await expect(owner.getByRole("heading", { level: 1, name: "Aiko Mori" })).toBeVisible();
});

test("the address says what is open: reload, Back, a shared link, and a list without scripts", async ({
  owner,
  account,
  request,
  browser,
  baseURL,
}) => {
  const card = await newCard(request, account, { name: "Mei Tanaka" });
  await newCard(request, account, { name: "Owen Walsh" });
  await owner.setViewportSize(WIDE);
  await owner.goto("/overview");
  await owner.getByRole("link", { name: "Cards", exact: true }).click();
  await rowOf(owner, "Mei Tanaka").click();
  await expect(panelOf(owner, "Mei Tanaka")).toBeVisible();
  await expect(owner).toHaveURL(new RegExp(`open=${card.id}$`, "u"));
  await owner.keyboard.press("ArrowUp");
  await expect(panelOf(owner, "Owen Walsh")).toBeVisible();
  await owner.reload();
  await expect(panelOf(owner, "Owen Walsh")).toBeVisible();
  // A box is enabled once the list hears what is done to it.
  await expect(owner.getByRole("checkbox", { name: /^Select Owen Walsh/u })).toBeEnabled();
  // Nothing has the focus: the arrow keys move on from what is open.
  await owner.keyboard.press("ArrowDown");
  await expect(panelOf(owner, "Mei Tanaka")).toBeVisible();
  await expect(rowOf(owner, "Mei Tanaka")).toBeFocused();
  // However many records were looked at, they are one step.
  await owner.goBack();
  await expect(panelOf(owner, "Mei Tanaka")).toHaveCount(0);
  await expect(owner).toHaveURL(/\/cards$/u);
  await expect(rowOf(owner, "Mei Tanaka")).toBeFocused();
  await owner.keyboard.press("Enter");
  await expect(panelOf(owner, "Mei Tanaka")).toBeVisible();
  // Closing takes its step back.
  await owner.getByRole("link", { name: "Close", exact: true }).click();
  await expect(panelOf(owner, "Mei Tanaka")).toHaveCount(0);
  await expect(rowOf(owner, "Mei Tanaka")).toBeFocused();
  await owner.goBack();
  await owner.waitForURL("**/overview");

  const still = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    javaScriptEnabled: false,
    storageState: await owner.context().storageState(),
    viewport: WIDE,
  });
  const page = await still.newPage();
  await page.goto(`/cards?open=${card.id}`);
  await expect(page.getByRole("heading", { level: 2, name: "Mei Tanaka" })).toBeVisible();
  await rowOf(page, "Owen Walsh").click();
  await expect(page.getByRole("heading", { level: 1, name: "Owen Walsh" })).toBeVisible();

  await owner.goto(`/cards?open=${crypto.randomUUID()}`);
  await expect(
    owner.getByText("We couldn't find that card.", { exact: true }).first(),
  ).toBeVisible();
  await expect(rowOf(owner, "Mei Tanaka")).toBeVisible();
});

test("a modified click, and a row on a narrow screen, lead to the page", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { name: "Mei Tanaka" });
  await owner.setViewportSize(WIDE);
  await owner.goto("/cards");
  const opened = owner.context().waitForEvent("page");
  await rowOf(owner, "Mei Tanaka").click({ modifiers: ["ControlOrMeta"] });
  const tab = await opened;
  await expect(tab.getByRole("heading", { level: 1, name: "Mei Tanaka" })).toBeVisible();
  await expect(owner).toHaveURL(/\/cards$/u);

  await owner.setViewportSize({ width: 375, height: 812 });
  await owner.goto(`/cards?open=${card.id}`);
  await expect(panelOf(owner, "Mei Tanaka")).toBeVisible();
  await expect(rowOf(owner, "Mei Tanaka")).toBeHidden();
  await owner.getByRole("link", { name: "Close", exact: true }).click();
  await expect(rowOf(owner, "Mei Tanaka")).toBeVisible();
  await rowOf(owner, "Mei Tanaka").click();
  await owner.waitForURL(`**/cards/${card.id}`);
});

test("passing many rows quickly fetches where it comes to rest, not what lies between", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 5_000 });
  for (let times = 0; times < 12; times += 1) {
    await callApi(request, account, {
      path: "/cards/credit/balance",
      body: { card_id: card.id, amount: 100 + times },
    });
  }
  await owner.setViewportSize(WIDE);
  await owner.goto("/transactions");
  const rows = owner.getByRole("rowheader").getByRole("link");
  const before = await rows.first().boundingBox();
  await rows.first().click();
  // The filters stay on their line: no row moves up or down.
  expect((await rows.first().boundingBox())?.y).toBe(before?.y);
  const panel = owner.getByRole("region", { name: /^Transaction: /u });
  await expect(panel.getByText("+$1.11", { exact: true })).toBeVisible();
  let pages = 0;
  owner.on("request", (sent) => {
    pages += sent.url().includes("open=") ? 1 : 0;
  });
  // All at once: between keys pressed one by one, a busy machine would come to rest.
  await owner.evaluate(() => {
    for (let times = 0; times < 10; times += 1) {
      const key = new KeyboardEvent("keydown", {
        key: "ArrowDown",
        bubbles: true,
        cancelable: true,
      });
      document.activeElement?.dispatchEvent(key);
    }
  });
  await expect(panel.getByText("+$1.01", { exact: true })).toBeVisible();
  await expect(valueOf(panel, "Type")).toHaveText("Credit");
  // The first at once, the last at rest; a refresh of the page may come between.
  expect(pages).toBeLessThanOrEqual(4);
  await expect(rows.nth(10)).toBeFocused();
});
