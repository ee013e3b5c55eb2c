import { callApi, expect, newCard, simulate, test } from "./fixtures.ts";

/** What needs a person, on the first page and in the side bar. */

test("a refund to a replaced card needs somebody until the new card is credited", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, {
    name: "Mei Tanaka",
    float: 10_000,
    balance: 8_000,
  });
  await owner.goto("/overview");
  await expect(owner.getByText("Nothing needs you.")).toBeVisible();
  await expect(owner.getByRole("link", { name: "Overview", exact: true })).toBeVisible();
  const bought = await simulate(request, account, {
    cardId: card.id,
    type: "deduct",
    amount: 2_500,
  });
  await callApi(request, account, { method: "POST", path: `/cards/${card.id}/replace` });
  await simulate(request, account, {
    cardId: card.id,
    type: "deduct-reversal",
    amount: 2_500,
    transaction_id: bought.id,
  });
  await owner.reload();
  const needs = owner.getByRole("region", { name: "Needs you: 1" });
  await expect(
    needs.getByText(
      `$25.00 was refunded to Mei Tanaka •••• ${card.last4}, which has been replaced`,
    ),
  ).toBeVisible();
  await expect(owner.getByRole("link", { name: "Overview 1 need you" })).toBeVisible();
  await needs.getByRole("link", { name: "Credit the new card" }).click();
  const dialog = owner.getByRole("dialog", { name: /^Credit Mei Tanaka/u });
  await dialog.getByRole("textbox", { name: "Amount" }).fill("25");
  await dialog.getByRole("button", { name: /^Credit/u }).click();
  await expect(dialog).toBeHidden();
  await owner.goto("/overview");
  await expect(owner.getByText("Nothing needs you.")).toBeVisible();
});

test("beyond 45 days the bars are weeks", async ({ owner, account, request }) => {
  await newCard(request, account, { float: 10_000, balance: 8_000 });
  await owner.goto("/overview");
  await expect(owner.getByRole("slider", { name: "Money in and out, day by day" })).toBeVisible();
  await owner.getByRole("link", { name: "90 days" }).click();
  const weeks = owner.getByRole("slider", { name: "Money in and out, week by week" });
  await expect(weeks).toHaveAttribute("aria-valuemax", "13");
  await expect(weeks).toHaveAttribute("aria-valuetext", / – .+: In \$100\.00, Out \$80\.00$/u);
});

test("a decline explains its figures", async ({ owner, account, request }) => {
  const card = await newCard(request, account, { float: 10_000, balance: 8_000 });
  await simulate(request, account, { cardId: card.id, type: "authorize", amount: 3_000 });
  const declined = await simulate(request, account, {
    cardId: card.id,
    type: "deduct",
    amount: 6_000,
  });
  await owner.goto(`/transactions/${declined.id}`);
  const figures = owner.getByRole("region", { name: "Card when it was declined" });
  for (const [term, amount] of [
    ["Balance", "$80.00"],
    ["Held by other purchases", "$30.00"],
    ["Available", "$50.00"],
    ["Needed", "$60.00"],
    ["Missing", "$10.00"],
  ] as const) {
    await expect(figures.getByText(term, { exact: true }).locator("..")).toHaveText(
      `${term}${amount}`,
    );
  }
});

test("the API log leaves out what pages read, until one asks for it", async ({
  owner,
  account,
}) => {
  await callApi(owner.request, account, { method: "GET", path: "/cards" });
  await owner.goto("/overview");
  const searched = owner.waitForResponse("**/api/card-integrators/card-users?*");
  await owner.keyboard.press("Control+k");
  await owner.keyboard.type("nobody");
  await searched;
  await owner.goto("/developers/api-log");
  await expect(owner.getByRole("row", { name: /GET \/api\/cards/u })).toBeVisible();
  const made = owner.getByRole("row", { name: /GET \/api\/card-integrators\/card-users/u });
  await expect(made).toHaveCount(0);
  await owner.getByRole("link", { name: "Made by pages, too" }).click();
  await expect(made).toBeVisible();
});
