import type { APIRequestContext } from "@playwright/test";
import { callApi, expect, newCard, test, valueOf } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";

test("top-up, credit and debit: every page shows the same balances", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  await owner.goto("/float");
  await owner.getByRole("button", { name: "Top up" }).first().click();
  const dialog = owner.getByRole("dialog", { name: "Top up the float" });
  await dialog.getByRole("textbox", { name: "Amount" }).fill("500");
  await dialog.getByRole("button", { name: "Top up" }).click();
  await expect(owner.getByRole("row", { name: /Top-up/u })).toContainText("+$500.00");

  await owner.goto(`/cards/${card.id}`);
  await owner.getByRole("button", { name: "Credit" }).click();
  const credit = owner.getByRole("dialog", { name: /^Credit .+ •••• /u });
  await credit.getByRole("textbox", { name: "Amount" }).fill("120.50");
  await expect(credit.getByText("$379.50")).toBeVisible();
  await credit.getByRole("button", { name: "Credit $120.50" }).click();
  await expect(valueOf(owner, "Balance")).toHaveText("$120.50");

  await owner.getByRole("button", { name: "Debit" }).click();
  const debit = owner.getByRole("dialog", { name: /^Debit .+ •••• /u });
  await debit.getByRole("textbox", { name: "Amount" }).fill("20.50");
  await debit.getByRole("button", { name: "Debit $20.50" }).click();
  await expect(valueOf(owner, "Balance")).toHaveText("$100.00");

  await owner.goto("/cards");
  await expect(owner.getByRole("row", { name: new RegExp(card.name, "u") })).toContainText(
    "$100.00",
  );
  await owner.goto("/float");
  await expect(owner.getByText("$400.00").first()).toBeVisible();
  await owner.goto("/overview");
  await expect(owner.getByText("$400.00").first()).toBeVisible();
  const float = await callApi(request, account, { method: "GET", path: "/card-integrators/float" });
  expect(float.balance).toBe(40_000);
});

test("a double click moves the money once", async ({ owner, account, request }) => {
  await owner.goto("/float");
  await owner.getByRole("button", { name: "Top up" }).first().click();
  const dialog = owner.getByRole("dialog", { name: "Top up the float" });
  await dialog.getByRole("textbox", { name: "Amount" }).fill("10");
  await dialog.getByRole("button", { name: "Top up" }).dblclick();
  await expect(owner.getByRole("row", { name: /Top-up/u })).toHaveCount(1);
  const float = await callApi(request, account, { method: "GET", path: "/card-integrators/float" });
  expect(float.balance).toBe(1_000);
});

test("an answer that is lost on the way moves the money once: the same request is sent again", async ({
  owner,
  account,
  request,
}) => {
  let lost = 0;
  await owner.route("**/api/card-integrators/top-up-float", async (route) => {
    // The server performs the request, but its response is lost.
    await route.fetch();
    lost += 1;
    await (lost === 1 ? route.abort("connectionreset") : route.continue());
  });
  await owner.goto("/float");
  await owner.getByRole("button", { name: "Top up" }).first().click();
  const dialog = owner.getByRole("dialog", { name: "Top up the float" });
  await dialog.getByRole("textbox", { name: "Amount" }).fill("10");
  await dialog.getByRole("button", { name: "Top up" }).click();
  await expect(owner.getByRole("row", { name: /Top-up/u })).toHaveCount(1);
  expect(lost).toBe(2);
  const float = await callApi(request, account, { method: "GET", path: "/card-integrators/float" });
  expect(float.balance).toBe(1_000);
});

test("more than is available cannot be sent, and the form says why; if it is gone meanwhile, the server refuses", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 5_000, balance: 1_000 });
  await owner.goto(`/cards/${card.id}?act=credit`);
  const dialog = owner.getByRole("dialog", { name: /^Credit .+ •••• /u });
  await dialog.getByRole("button", { name: "Credit", exact: true }).click();
  await expect(dialog.getByText("Enter an amount.")).toBeVisible();
  const amount = dialog.getByRole("textbox", { name: "Amount" });
  const sent: string[] = [];
  owner.on("request", (made) => sent.push(`${made.method()} ${new URL(made.url()).pathname}`));
  await amount.fill("40.01");
  await expect(dialog.getByText("The float has $40.00 available.")).toBeVisible();
  await amount.press("Enter");
  await amount.press("Control+Enter");
  await expect(
    dialog.getByRole("button", { name: /^Credit \$40\.01: The float has/u }),
  ).toBeVisible();
  await amount.fill("25");
  expect(sent).not.toContain("PATCH /api/cards/credit/balance");
  const elsewhere = await newCard(request, account, { balance: 4_000 });
  await dialog.getByRole("button", { name: "Credit $25.00" }).click();
  await expect(dialog.getByRole("alert")).toContainText("$25.00");
  await expect(dialog.getByRole("alert")).toContainText("$0.00");
  await expect(valueOf(owner, "Balance")).toHaveText("$10.00");

  await hold(request, account, elsewhere.id);
  await owner.goto(`/cards/${elsewhere.id}?act=debit`);
  const debit = owner.getByRole("dialog", { name: /^Debit .+ •••• /u });
  await debit.getByRole("textbox", { name: "Amount" }).fill("40");
  await expect(debit.getByText("The card has $35.00 available; $5.00 more is held")).toBeVisible();
  await expect(debit.getByRole("button", { name: /^Debit \$40\.00: The card has/u })).toBeVisible();
});

/** Holds $5.00 on a card by an authorization. */
async function hold(request: APIRequestContext, account: Account, id: string): Promise<void> {
  const body = { type: "authorize", amount: 500 };
  await callApi(request, account, { method: "POST", path: `/cards/${id}/mock-transaction`, body });
}
