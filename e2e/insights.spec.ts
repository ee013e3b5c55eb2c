import type { Locator } from "@playwright/test";
import { addDays } from "#lib/base/time-zone.ts";
import { callApi, expect, newCard, simulate, test } from "./fixtures.ts";

test("what was spent leads to the transactions behind each sum", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  const buy = (amount: number, at: Partial<Record<"name" | "mcc" | "country", string>>) => {
    const merchant = { name: "Shop", mcc: null, city: null, country: null, ...at };
    return simulate(request, account, { cardId: card.id, type: "deduct", amount, merchant });
  };
  await buy(4_000, { mcc: "5812", country: "FR" });
  await buy(1_000, { mcc: "5812", country: "US" });
  await buy(2_000, { name: "Shop & Sons" });
  await buy(90_000, { mcc: "5812", country: "FR" });
  await owner.goto("/overview");
  await owner.getByRole("link", { name: "Insights" }).click();
  await expect(owner.getByRole("heading", { level: 1, name: "Insights" })).toBeVisible();
  const categories = owner.getByRole("region", { name: "By category" }).getByRole("link");
  await expect(categories).toContainText([
    /Restaurants \(5812\)\$50\.00.*2 transactions71\.4%/u,
    /Unknown category\$20\.00.*1 transaction28\.6%/u,
  ]);
  await owner
    .getByRole("region", { name: "Declines" })
    .getByRole("link", { name: /^Insufficient funds/u })
    .click();
  const rows = owner.getByRole("table", { name: "Transactions" }).locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("$900.00");
  await owner.goBack();
  const byCard = owner.getByRole("region", { name: "By card", exact: true }).getByRole("link");
  await expect(byCard).toHaveText([/•••• \d{4}\$70\.00.*3 transactions100\.0%/u]);
  await byCard.click();
  await expect(owner.getByRole("link", { name: /^Remove filter: .+ •••• /u })).toBeVisible();
  await expect(rows).toHaveCount(3);
  await owner.goBack();
  const merchants = owner.getByRole("region", { name: "By merchant" }).getByRole("link");
  await expect(merchants).toContainText([
    /^Shop\$50\.00.*2 transactions71\.4%/u,
    /^Shop & Sons\$20\.00/u,
  ]);
  await merchants.first().click();
  await expect(
    owner.getByRole("link", { name: "Remove filter: Merchant: Shop", exact: true }),
  ).toBeVisible();
  await expect(rows).toHaveCount(2);
  await owner.goBack();
  await owner.getByRole("link", { name: /^France/u }).click();
  await expect(owner.getByRole("link", { name: "Remove filter: Country: France" })).toBeVisible();
  await expect(owner.getByRole("link", { name: /^Remove filter: Posted from/u })).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("$40.00");
});

test("a cardholder's sum covers all of their cards, and leads to what was bought with them", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  const { data: other } = await callApi(request, account, {
    method: "POST",
    path: "/cards/create-virtual-card",
    body: {
      user_id: card.userId,
      currency: "USD",
      design_type: "midnight",
      single_use: false,
      validity: 365,
    },
  });
  await callApi(request, account, {
    path: "/cards/credit/balance",
    body: { card_id: other.id, amount: 50_000 },
  });
  await simulate(request, account, { cardId: card.id, type: "deduct", amount: 4_000 });
  await simulate(request, account, { cardId: other.id, type: "deduct", amount: 1_000 });
  await owner.goto("/insights");
  const sums = owner.getByRole("region", { name: "By cardholder" }).getByRole("link");
  await expect(sums).toHaveText([/\$50\.00.*2 transactions100\.0%/u]);
  await sums.click();
  await expect(owner.getByRole("link", { name: /^Remove filter: Cardholder: \w/u })).toBeVisible();
  const rows = owner.getByRole("table", { name: "Transactions" }).locator("tbody tr");
  await expect(rows).toHaveCount(2);
});

test("declines are counted by day, and each count leads to its transactions", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 1_000 });
  for (let times = 0; times < 2; times += 1) {
    await simulate(request, account, { cardId: card.id, type: "deduct", amount: 9_000 });
  }
  const today = new Date().toISOString().slice(0, "2026-01-31".length);
  await owner.goto(`/insights?from=${addDays(today, -6)}&to=${addDays(today, 1)}`);
  const panel = owner.getByRole("region", { name: "Declines, by day" });
  const days = panel.getByRole("slider", { name: "Declines, day by day" });
  await expect(days).toHaveAttribute("aria-valuetext", /: Declined 2, Insufficient funds 2$/u);
  // The last bar is today's: what is to come has none.
  await expect(days).toHaveAttribute("aria-valuemax", "7");
  await panel.getByText("Show as a table").click();
  await panel.getByRole("link", { name: /^2 declined: Insufficient funds, / }).click();
  const rows = owner.getByRole("table", { name: "Transactions" }).locator("tbody tr");
  await expect(rows).toHaveCount(2);
  await expect(
    owner.getByRole("link", { name: "Remove filter: Insufficient funds" }),
  ).toBeVisible();
  await owner.goBack();
  await days.click({ position: await toLastDay(days) });
  await expect(owner.getByRole("link", { name: "Remove filter: Declined" })).toBeVisible();
  await expect(rows).toHaveCount(2);
});

test("a card's page shows its balance over time", async ({ owner, account, request }) => {
  const card = await newCard(request, account, { float: 100_000, balance: 1_234 });
  await owner.goto(`/cards/${card.id}`);
  const days = owner.getByRole("slider", { name: "Balance, day by day" });
  await expect(days).toHaveAttribute("aria-valuetext", /: Balance \$12\.34$/u);
  await days.press("Home");
  await expect(days).toHaveAttribute("aria-valuetext", /: Balance \$0\.00$/u);
});

/** In the middle of a chart's last bar, low enough to be in it. */
async function toLastDay(days: Locator): Promise<{ x: number; y: number }> {
  const box = await days.boundingBox();
  return { x: (box?.width ?? 0) - 5, y: (box?.height ?? 0) - 5 };
}

test("an account that has bought nothing is told so", async ({ owner }) => {
  await owner.goto("/insights");
  await expect(owner.getByText("Nothing was spent")).toBeVisible();
  await expect(owner.getByText("Nothing was declined")).toBeVisible();
});
