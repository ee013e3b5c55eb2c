import type { Page } from "@playwright/test";
import { callApi, expect, newCard, simulate, test, topUp } from "./fixtures.ts";

/** The printable width of a sheet with the margins of the print style, in CSS pixels. */
const SHEETS = { A4: 703, Letter: 725 } as const;
const LONG_NAME = `Bartholomew ${"Featherstonehaugh-".repeat(5)}Wolfe`;
const LONG_NARRATIVE = `Reimbursement ${"of the annual conference ".repeat(8)}`.trim();

/** Text on paper that ends beyond the sheet, or is cut off by something around it. */
async function findCut(page: Page): Promise<string[]> {
  return page.locator("main *:not(:has(*))").evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility() && element.textContent.trim() !== "")
      .filter((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { right, left } = range.getBoundingClientRect();
        const isClipped = ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
        return (
          left < 0 ||
          right > document.documentElement.clientWidth ||
          (isClipped && element.scrollWidth > element.clientWidth)
        );
      })
      .map(({ textContent }) => textContent),
  );
}

/** What a sheet of the page shows, in each of the formats. */
async function expectPrintable(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const [format, width] of Object.entries(SHEETS)) {
    await page.setViewportSize({ width, height: 1_000 });
    expect([format, await findCut(page)]).toEqual([format, []]);
    expect((await page.pdf({ format })).subarray(0, 5).toString()).toBe("%PDF-");
  }
  for (const name of ["Main", "Breadcrumb", "Period", "Pages"]) {
    await expect(page.getByRole("navigation", { name })).toHaveCount(0);
  }
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("complementary")).toHaveCount(0);
  // Dark on white, whatever the theme on screen.
  const colors = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return { color, backgroundColor };
  });
  expect(colors.backgroundColor).toBe("rgba(0, 0, 0, 0)");
  // The lightness of CIELAB, of 100.
  expect(colors.color).toMatch(/^lab\(/u);
  expect(Number(/[\d.]+/u.exec(colors.color)?.[0])).toBeLessThan(20);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.setViewportSize({ width: 1_280, height: 900 });
}

async function readPrints(page: Page): Promise<number> {
  return page.evaluate(() => Number(Reflect.get(window, "prints") ?? 0));
}

/** Instead of the browser's dialog, which would wait for somebody. */
async function countPrints(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.print = () => {
      Reflect.set(window, "prints", Number(Reflect.get(window, "prints") ?? 0) + 1);
    };
  });
}

test("a month of the float: balances, totals, lines, the file that adds up, and paper", async ({
  owner,
  account,
  request,
}) => {
  await countPrints(owner);
  await topUp(request, account, 100_000);
  const card = await newCard(request, account, { name: LONG_NAME, balance: 30_000 });
  await callApi(request, account, {
    path: "/cards/debit/balance",
    body: { card_id: card.id, amount: 200, narrative: LONG_NARRATIVE },
  });
  await owner.goto("/float");
  await owner.getByRole("link", { name: "Monthly statement" }).click();
  await expect(owner.getByRole("heading", { level: 1 })).toHaveText("Float statement");
  await expect(owner).toHaveTitle(/^Float statement, [A-Z][a-z]+ \d{4}/u);
  const summary = owner.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("Opening balance$0.00");
  await expect(summary).toContainText("Net change+$702.00");
  await expect(summary).toContainText("Balance so far$702.00");
  await expect(summary).toContainText("Top-ups+$1,000.00");
  await expect(summary).toContainText("Funded cards−$300.00");
  await expect(summary).toContainText("Returned from cards+$2.00");
  const rows = owner.getByRole("table", { name: "Lines" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("Top-up");
  await expect(rows.nth(2)).toContainText(`Funded card •••• ${card.last4}`);
  await expect(rows.nth(3)).toContainText(`Returned from card •••• ${card.last4}`);

  const href = await owner.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  const csv = await owner.request.get(href ?? "");
  const month = new Date().toISOString().slice(0, "2026-10".length);
  expect(csv.headers()["content-disposition"]).toContain(`float-statement-${month}.csv"`);
  const [header = "", ...lines] = (await csv.text()).trimEnd().split("\r\n");
  const net = header.split(",").indexOf("net");
  expect(lines.map((line) => line.split(",")[net])).toEqual(["1000.00", "-300.00", "2.00"]);

  await owner.getByRole("button", { name: "Print" }).click();
  expect(await readPrints(owner)).toBe(1);
  await expectPrintable(owner);
});

test("from one period to others: by steps, by choice, by length, and by dates of one's own", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 100_000);
  await owner.goto("/float/statement");
  const summary = owner.getByRole("region", { name: "Summary" });
  const previous = owner.getByRole("button", { name: "Previous month" });
  await expect(previous).toHaveAccessibleName(/Nothing was posted before this period\.$/u);
  const next = owner.getByRole("button", { name: "Next month" });
  await expect(next).toHaveAccessibleName(/The next period has not begun\.$/u);
  const period = owner.getByRole("combobox", { name: "Period" });
  await period.selectOption({ index: 1 });
  await expect(owner).toHaveURL(/\/float\/statement\?month=\d{4}-\d{2}$/u);
  await expect(owner.getByText("Nothing posted")).toBeVisible();
  await expect(summary).toContainText("Closing balance$0.00");
  await owner.getByRole("link", { name: "Next month" }).click();
  await expect(summary).toContainText("Balance so far$1,000.00");
  for (const [length, member] of [
    ["Quarter", /quarter=\d{4}-Q\d$/u],
    ["Week", /week=\d{4}-W\d{2}$/u],
    ["Day", /day=\d{4}-\d{2}-\d{2}$/u],
  ] as const) {
    await owner.getByRole("link", { name: length, exact: true }).click();
    await expect(owner).toHaveURL(member);
    await expect(summary).toContainText("Balance so far$1,000.00");
  }
  await owner.getByRole("button", { name: "Choose dates" }).click();
  const dialog = owner.getByRole("dialog", { name: "Choose dates" });
  await dialog.getByRole("textbox", { name: "First day" }).fill("2026-01-05");
  await dialog.getByRole("textbox", { name: "Last day" }).fill("2026-01-04");
  const show = dialog.getByRole("button", { name: "Show period" });
  await expect(show).toHaveAccessibleName(/must not be before the first\.$/u);
  await dialog.getByRole("textbox", { name: "Last day" }).fill("2026-01-31");
  await show.click();
  await expect(owner).toHaveURL("/float/statement?from=2026-01-05&to=2026-01-31");
  await expect(owner.getByText("Jan 5 – 31, 2026", { exact: true })).toBeVisible();
  await owner.getByRole("link", { name: "Next period" }).click();
  await expect(owner).toHaveURL("/float/statement?from=2026-02-01&to=2026-02-27");
  await owner.goto("/float/statement?month=2026-13");
  await expect(owner.getByText("Not applied, because the value isn't valid: month.")).toBeVisible();
});

test("a card's statement leaves out what moved nothing, and its purchase's receipt prints", async ({
  owner,
  account,
  request,
}) => {
  await countPrints(owner);
  const card = await newCard(request, account, { float: 100_000, balance: 5_000 });
  await simulate(request, account, {
    cardId: card.id,
    type: "deduct",
    amount: 1_250,
    narrative: LONG_NARRATIVE,
    merchant: { name: "Kiosk am Markt", mcc: "5994" },
  });
  await simulate(request, account, { cardId: card.id, type: "authorize", amount: 100 });
  await simulate(request, account, { cardId: card.id, type: "deduct", amount: 900_000 });
  await owner.goto(`/cards/${card.id}`);
  await owner.getByRole("link", { name: "Monthly statement" }).click();
  const heading = owner.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(`•••• ${card.last4}`);
  const rows = owner.getByRole("table", { name: "Lines" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("Funded from the float");
  await expect(rows.nth(2)).toContainText("Purchase: Kiosk am Markt");
  await expect(owner.getByRole("region", { name: "Summary" })).toContainText("Purchases−$12.50");
  await expectPrintable(owner);
  await owner.getByRole("link", { name: /^Purchase/u }).click();
  await expect(heading).toHaveText("Kiosk am Markt");
  await owner.getByRole("button", { name: "Print" }).click();
  expect(await readPrints(owner)).toBe(1);
  await expectPrintable(owner);
});

test("another account's card has no statement", async ({ owner }) => {
  const answer = await owner.goto(`/cards/${crypto.randomUUID()}/statement`);
  expect(answer?.status()).toBe(404);
  await expect(owner.getByText("We couldn't find that card.")).toBeVisible();
});

test("a statement with more lines than a page prints all of them, without a banner", async ({
  owner,
  account,
  request,
}) => {
  await countPrints(owner);
  await topUp(request, account, 100_000);
  const card = await newCard(request, account);
  const items = Array.from({ length: 510 }, () => ({ card_id: card.id, amount: 100 }));
  await callApi(request, account, {
    method: "POST",
    path: "/bulk",
    body: { operation: "credit", items },
  });
  await owner.goto("/float/statement");
  await expect(async () => {
    await owner.reload();
    await expect(owner.getByText(/^Lines 1 to 500 of 511,/u)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await owner.getByRole("button", { name: "Print" }).click();
  await owner.waitForURL(/print=all/u);
  await expect(owner.locator("tbody tr")).toHaveCount(511);
  await expect.poll(() => readPrints(owner)).toBe(1);
  await owner.emulateMedia({ media: "print" });
  await expect(owner.getByRole("status")).toHaveCount(0);
  await expect(owner.getByText(/^Lines /u)).toHaveCount(0);
});
