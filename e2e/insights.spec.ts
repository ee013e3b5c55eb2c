import { expect, newCard, simulate, test } from "./fixtures.ts";

test("what was spent leads to the transactions behind each sum", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  const buy = (amount: number, mcc: string | null, country: string | null) => {
    const merchant = { name: "Shop", mcc, city: null, country };
    return simulate(request, account, { cardId: card.id, type: "deduct", amount, merchant });
  };
  await buy(4_000, "5812", "FR");
  await buy(1_000, "5812", "US");
  await buy(2_000, null, null);
  await buy(90_000, "5812", "FR");
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
  const byCard = owner.getByRole("region", { name: "By card" }).getByRole("link");
  await expect(byCard).toHaveText([/•••• \d{4}\$70\.00.*3 transactions100\.0%/u]);
  await byCard.click();
  await expect(owner.getByRole("link", { name: /^Remove filter: .+ •••• /u })).toBeVisible();
  await expect(rows).toHaveCount(3);
  await owner.goBack();
  await owner.getByRole("link", { name: /^France/u }).click();
  await expect(owner.getByRole("link", { name: "Remove filter: Country: France" })).toBeVisible();
  await expect(owner.getByRole("link", { name: /^Remove filter: Posted from/u })).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("$40.00");
});

test("an account that has bought nothing is told so", async ({ owner }) => {
  await owner.goto("/insights");
  await expect(owner.getByText("Nothing was spent")).toBeVisible();
  await expect(owner.getByText("Nothing was declined")).toBeVisible();
});
