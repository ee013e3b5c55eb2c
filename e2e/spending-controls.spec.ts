import { callApi, expect, newCard, simulate, test } from "./fixtures.ts";

test("a card's page shows what it may buy, and what is left of each limit", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  await owner.goto(`/cards/${card.id}`);
  await expect(owner.getByRole("region", { name: "Details" })).toBeVisible();
  const panel = owner.getByRole("region", { name: "Spending controls" });
  await expect(panel).toBeHidden();
  await callApi(request, account, {
    method: "PATCH",
    path: `/cards/${card.id}/spending-controls`,
    body: {
      spending_controls: {
        spending_limits: [
          { amount: 20_000, interval: "monthly" },
          { amount: 5_000, interval: "per_authorization" },
        ],
        blocked_categories: ["7995"],
        allowed_merchant_countries: ["US", "GB"],
      },
    },
  });
  const merchant = { name: "Corner Grocery", mcc: "5411", country: "US" };
  await simulate(request, account, { cardId: card.id, type: "deduct", amount: 1_250, merchant });
  await owner.reload();
  await expect(panel.getByText("Monthly limit")).toBeVisible();
  await expect(panel.getByText("$187.50 left")).toBeVisible();
  await expect(panel.getByText("Per-authorization limit")).toBeVisible();
  await expect(panel.getByText(/\(7995\)$/u)).toBeVisible();
  await expect(panel.getByText("United States, United Kingdom")).toBeVisible();
});
