import type { Page } from "@playwright/test";
import { callApi, comeToLife, expect, newCard, simulate, test, topUp } from "./fixtures.ts";

/** The longest that can be typed, from right to left, and of few but wide signs. */
const NAMES = [
  `Bartholomew ${"Featherstonehaugh-".repeat(6)}Wolfe`,
  "محمد عبدالرحمن-السلطان-الشريف-المنصوري-القاسمي-الهاشمي-البغدادي",
  `Zoë ${"👩‍👩‍👧‍👦".repeat(12)}`,
];
const WIDTHS = [320, 375, 767, 768, 1_024, 1_280, 1_440];
/** What a row must show whole. */
const NEVER_CUT = [
  "Amount",
  "Balance",
  "Available",
  "Status",
  "Date",
  "Created",
  "Time",
  "Cards",
  "Posted",
];

/** The cells of these columns that are shown and not whole, or not within the list. */
async function findClipped(page: Page): Promise<string[]> {
  return page.getByRole("table").evaluateAll(
    (tables, columns) =>
      tables.flatMap((table) => {
        const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
        const frame = (table.closest("section") ?? table).getBoundingClientRect();
        return [...table.querySelectorAll("tbody tr")]
          .flatMap((row) =>
            [...row.children].filter((cell, index) => {
              const { left, right, width } = cell.getBoundingClientRect();
              const isWhole =
                left >= frame.left && right <= frame.right && cell.scrollWidth <= cell.clientWidth;
              return width > 0 && columns.includes(heads[index] ?? "") && !isWhole;
            }),
          )
          .map(({ textContent }) => textContent);
      }),
    NEVER_CUT,
  );
}

test("amounts, statuses, and dates are whole at any width, however long the names beside them are", async ({
  account,
  owner,
  request,
}) => {
  for (let times = 0; times < 2; times += 1) {
    await topUp(request, account, 1_000_000_000_000);
  }
  for (const name of NAMES) {
    const card = await newCard(request, account, { name, balance: 500_000_000_000 });
    await simulate(request, account, {
      cardId: card.id,
      type: "deduct",
      amount: 300_000_000_000,
      narrative: "Subscription renewal ".repeat(8).trim(),
    });
  }
  const { data: users } = await callApi(request, account, {
    method: "GET",
    path: "/card-integrators/card-users",
  });
  for (const path of [
    "/transactions",
    "/transactions?columns=type,card,status,at,posted,after,amount&density=compact",
    "/float",
    "/float/statement",
    "/cards",
    "/cards?columns=freeze,status,created,held,available,balance",
    "/cardholders",
    `/cardholders/${users[0].id}`,
    "/developers/api-log",
  ]) {
    await owner.goto(path);
    await expect(owner.getByRole("table").first()).toBeVisible();
    for (const width of WIDTHS) {
      await owner.setViewportSize({ width, height: 900 });
      expect([path, width, await findClipped(owner)]).toEqual([path, width, []]);
    }
  }
  await owner.goto("/cards");
  await comeToLife(owner);
  const row = owner.getByRole("row", { name: NAMES[0] ?? "" });
  await row.hover();
  await expect(row.getByRole("link")).toHaveAttribute("title", NAMES[0] ?? "");
});
