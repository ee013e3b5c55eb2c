import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { openSimulation, pick } from "./dialogs.ts";
import { expect, newCard, simulate, test, topUp, valueOf } from "./fixtures.ts";
import { newProcessorKey } from "./operator.ts";

const MERCHANT = "Kiosk am Markt";
const NARRATIVE = "喫茶さくら 京都店 ☕️ <b>&amp;";

/** Simulates a purchase in the simulator dialog. @returns the dialog, which shows the outcome. */
async function simulatePurchase(page: Page, amount: string): Promise<Locator> {
  await page.getByRole("button", { name: "Simulate", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Simulate a transaction" });
  await dialog.getByRole("textbox", { name: "Amount" }).fill(amount);
  await dialog.getByRole("combobox", { name: "Merchant" }).fill(MERCHANT);
  await dialog.getByRole("combobox", { name: "Narrative" }).fill(NARRATIVE);
  await dialog.getByRole("button", { name: "Simulate", exact: true }).click();
  return dialog;
}

test("a frozen card declines a purchase and says why; unfrozen, it approves the same", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 100_000);
  const card = await newCard(request, account, { name: "Mei Tanaka", balance: 5_000 });
  await simulate(request, account, {
    cardId: card.id,
    type: "authorize",
    amount: 1_200,
    merchant: { name: "Quay Hotel" },
  });
  await owner.goto(`/cards/${card.id}`);
  const holds = owner.getByRole("region", { name: "Open authorizations" });
  await expect(holds.getByRole("link", { name: "Quay Hotel" })).toBeVisible();

  await owner.getByRole("button", { name: "Freeze", exact: true }).click();
  const freeze = owner.getByRole("dialog", { name: /^Freeze .+ •••• /u });
  await expect(freeze.getByText(/^1 open authorization can still settle.*\$12\.00/u)).toBeVisible();
  await pick(freeze, /Reason/u, "Requested by cardholder");
  await freeze.getByRole("button", { name: "Freeze card" }).click();
  await expect(owner.getByText("Frozen by Ada Winter")).toBeVisible();

  const declined = await simulatePurchase(owner, "12.50");
  await expect(declined.getByText("$12.50 was declined.")).toBeVisible();
  await expect(declined.getByText(/^The card was frozen/u)).toBeVisible();
  await declined.getByRole("link", { name: "Unfreeze this card" }).click();
  const unfreeze = owner.getByRole("dialog", { name: /^Unfreeze .+ •••• /u });
  await unfreeze.getByRole("button", { name: "Unfreeze card" }).click();
  await expect(owner.getByRole("button", { name: "Freeze", exact: true })).toBeVisible();
  await expect(valueOf(owner, "Balance")).toHaveText("$50.00");

  await owner.getByRole("button", { name: "Simulate", exact: true }).click();
  const again = owner.getByRole("dialog", { name: "Simulate a transaction" });
  await expect(again.getByRole("textbox", { name: "Amount" })).toHaveValue("12.50");
  await again.getByRole("button", { name: "Simulate", exact: true }).click();
  await expect(again.getByText("$12.50 was approved.")).toBeVisible();
  await again.getByRole("button", { name: "Done" }).click();
  await expect(valueOf(owner, "Balance")).toHaveText("$37.50");

  const timeline = owner.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("link", { name: `Purchase · ${MERCHANT}` })).toBeVisible();
  await expect(timeline.getByText("The card has since been unfrozen")).toBeVisible();
  await timeline.getByRole("link", { name: `Declined: card frozen · ${MERCHANT}` }).click();
  await owner.waitForURL("**/transactions/*");
  await expect(owner.getByText(NARRATIVE, { exact: true })).toBeVisible();
  await expect(owner.getByText("No funds were moved or held.")).toBeVisible();
});

test("an authorization is captured in part, refunded in part, and released, each on its own page", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog, send } = await openSimulation(owner, account, request);
  await pick(dialog, /Type/u, /^Capture/u);
  await expect(dialog.getByText("This card has no open authorization")).toBeVisible();
  await pick(dialog, /Type/u, /^Authorization/u);
  await send.click();
  await expect(dialog.getByText("Enter an amount.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Amount" }).fill("60");
  await dialog.getByRole("combobox", { name: "Merchant" }).fill("Quay Hotel");
  await send.click();
  await expect(dialog.getByText("$60.00 was authorized.")).toBeVisible();

  await dialog.getByRole("button", { name: "Simulate another" }).click();
  await pick(dialog, /Type/u, /^Capture/u);
  await pick(dialog, /^Authorization/u, "$60.00 · Quay Hotel");
  await dialog.getByRole("textbox", { name: "Amount" }).fill("25");
  await send.click();
  await expect(dialog.getByText("$25.00 was approved.")).toBeVisible();

  await dialog.getByRole("button", { name: "Simulate another" }).click();
  await pick(dialog, /Type/u, /^Refund/u);
  const purchase = dialog.getByRole("combobox", { name: "Purchase" });
  await expect(purchase.locator("option:checked")).toHaveText("$25.00 · Quay Hotel");
  await dialog.getByRole("textbox", { name: "Amount" }).fill("5");
  await send.click();
  await expect(dialog.getByText("$5.00 was refunded.")).toBeVisible();

  await dialog.getByRole("button", { name: "Simulate another" }).click();
  await pick(dialog, /Type/u, /^Reversal/u);
  const rest = dialog.getByRole("combobox", { name: "Authorization" });
  await expect(rest.locator("option:checked")).toHaveText("$35.00 · Quay Hotel");
  await dialog.getByRole("textbox", { name: "Amount" }).fill("");
  await send.click();
  await dialog.getByRole("link", { name: "View transaction" }).click();
  await owner.waitForURL("**/transactions/*");

  for (const [term, amount] of [
    ["Authorized", "$60.00"],
    ["Captured", "$25.00"],
    ["Released", "$35.00"],
    ["Still held", "$0.00"],
  ] as const) {
    await expect(valueOf(owner, term)).toHaveText(amount);
  }
  await expect(owner.getByText("$5.00 of $25.00 refunded")).toBeVisible();
  await owner.getByRole("link", { name: "Refund" }).click();
  await expect(owner.getByText("+$5.00").first()).toBeVisible();
  await expect(valueOf(owner, "Refunded purchase ID")).toBeVisible();
  await valueOf(owner, "Card").getByRole("link").click();
  await owner.waitForURL(`**/cards/${card.id}`);
  await expect(valueOf(owner, "Balance")).toHaveText("$80.00");
  await expect(valueOf(owner, "Held")).toHaveText("$0.00");
});

test("the list is narrowed down by filters that stay in the address, and exported with them", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 100_000);
  const card = await newCard(request, account, { name: "Aiko Mori", balance: 5_000 });
  const other = await newCard(request, account, { name: "Owen Walsh", balance: 5_000 });
  const shops = ["Harbour Coffee", "Green Basket", "Cloud Desk"] as const;
  for (const [index, name] of shops.entries()) {
    const amount = (index + 1) * 500;
    await simulate(request, account, {
      cardId: card.id,
      type: "deduct",
      amount,
      merchant: { name },
      narrative: `=${name}`,
    });
  }
  await simulate(request, account, { cardId: other.id, type: "deduct", amount: 999_900 });
  await owner.goto("/transactions");
  const rows = owner.getByRole("rowheader");
  await expect(rows).toHaveCount(6);

  await owner.getByRole("searchbox", { name: "Search transactions" }).fill("basket");
  await expect(rows).toHaveText([/Green Basket/u]);
  await expect(owner).toHaveURL(/search=basket/u);
  await owner.getByRole("searchbox", { name: "Search transactions" }).fill("");
  await expect(rows).toHaveCount(6);

  await owner.getByRole("button", { name: "Filters" }).click();
  const dialog = owner.getByRole("dialog", { name: "Filter transactions" });
  await pick(dialog, /Type$/u, "Purchase");
  await dialog.getByRole("combobox", { name: "Card" }).fill(card.last4);
  await owner.getByRole("listbox").getByRole("option", { name: "Aiko Mori" }).click();
  await dialog.getByRole("textbox", { name: "Minimum amount" }).fill("10");
  await dialog.getByLabel("From").fill(new Date().toISOString().slice(0, 10));
  await dialog.getByRole("button", { name: "Show transactions" }).click();
  await expect(rows).toHaveText([/Cloud Desk/u, /Green Basket/u]);
  await expect(owner).toHaveURL(new RegExp(`type=deduct.*card_id=${card.id}`, "u"));
  await owner.reload();
  await expect(rows).toHaveCount(2);

  const download = owner.waitForEvent("download");
  await owner.getByRole("link", { name: "Export CSV" }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) {
    chunks.push(Buffer.from(chunk));
  }
  const lines = Buffer.concat(chunks).toString("utf8").trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(",'=Cloud Desk,Cloud Desk,");

  await owner.getByRole("link", { name: "Remove filter: At least $10.00" }).click();
  await expect(rows).toHaveCount(3);
  await owner.getByRole("link", { name: "7 days" }).click();
  await expect(owner).toHaveURL(/range=7-days/u);
  await expect(owner.getByText("3 of 3")).toBeVisible();
  await owner.goto("/transactions?status=lost&type=deduct");
  await expect(
    owner.getByText("Not applied, because the value isn't valid: status."),
  ).toBeVisible();
  await owner.goto("/overview");
  await expect(owner.getByRole("slider", { name: /^Float/u })).toHaveAttribute(
    "aria-valuemax",
    "30",
  );
  await owner.getByRole("link", { name: "7 days" }).click();
  await expect(owner.getByRole("slider", { name: /^Float/u })).toHaveAttribute(
    "aria-valuemax",
    "7",
  );
  const declines = owner.getByRole("region", { name: "Declines, last 7 days" });
  await expect(declines.getByText(/^of \d requests? declined$/u)).toBeVisible();
  await declines.getByRole("link", { name: /Insufficient funds/u }).click();
  await owner.waitForURL(/decline_reason=insufficient_funds/u);
  await expect(rows).toHaveCount(1);
  await owner.getByRole("row", { name: /insufficient funds/iu }).click();
  await owner.waitForURL("**/transactions/*");
  await owner.getByRole("link", { name: "Credit this card" }).click();
  await expect(owner.getByRole("dialog", { name: /^Credit .+ •••• /u })).toBeVisible();
});

test("an empty sandbox leads to a first purchase", async ({ owner, account, request }) => {
  const card = await newCard(request, account, { float: 100_000, balance: 5_000 });
  await owner.goto("/overview");
  const steps = owner.getByRole("region", { name: "Get started" });
  await steps.getByRole("link", { name: "Simulate a transaction" }).click();
  await owner.waitForURL(`**/cards/${card.id}`);
  const dialog = owner.getByRole("dialog", { name: "Simulate a transaction" });
  await dialog.getByRole("textbox", { name: "Amount" }).fill("1");
  await dialog.getByRole("button", { name: "Simulate", exact: true }).click();
  await expect(dialog.getByText("$1.00 was approved.")).toBeVisible();
  await owner.goto("/overview");
  await expect(owner.getByRole("region", { name: "Card spending, by day" })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test("a purchase from the network shows its category, the merchant's amount, and the text that had to be cleaned", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 10_000 });
  const approved = await request.post("/api/processor/authorizations", {
    headers: { authorization: `Bearer ${await newProcessorKey()}` },
    data: {
      reference: randomUUID(),
      card_id: card.id,
      amount: 2_174,
      currency: "USD",
      merchant_amount: 2_000,
      merchant_currency: "EUR",
      narrative: "QUAY CAFE\u0007PORTO",
      merchant: { name: "Quay Cafe", mcc: "5814", city: "+351 800 555 014", country: "QZZ" },
    },
  });
  const { id } = await approved.json();
  await owner.goto(`/transactions/${id}`);
  await expect(owner.getByText("€20.00 · $21.74")).toBeVisible();
  await expect(valueOf(owner, "Merchant category")).toHaveText("Fast Food Restaurants (5814)");
  await expect(valueOf(owner, "Requested by the merchant")).toHaveText("€20.00");
  const received = owner.getByRole("region", { name: "As received" });
  await expect(valueOf(received, "Country")).toHaveText("QZZ");
  await expect(valueOf(received, "City")).toHaveText("+351 800 555 014");
  await expect(valueOf(received, "Narrative")).toHaveText("QUAY CAFE\ufffdPORTO");
  await request.post(`/api/processor/authorizations/${id}/captures`, {
    headers: { authorization: `Bearer ${await newProcessorKey()}` },
    data: {
      reference: randomUUID(),
      merchant: { name: "Quay Cafe and Bar", mcc: "5813" },
      occurred_at: "2026-01-31T22:15:00Z",
    },
  });
  await owner.reload();
  const authorized = owner.getByRole("region", { name: "As authorized" });
  await expect(valueOf(authorized, "Merchant")).toHaveText("Quay Cafe");
  await expect(valueOf(authorized, "Merchant category")).toHaveText("Fast Food Restaurants (5814)");
  const details = owner.getByRole("region", { name: "Details" });
  await expect(valueOf(details, "Merchant")).toHaveText("Quay Cafe and Bar");
  await expect(valueOf(details, "By the network’s clock")).toContainText("2026");
  await valueOf(details, "Merchant").getByRole("link").click();
  await expect(
    owner.getByRole("link", { name: "Remove filter: Merchant: Quay Cafe and Bar" }),
  ).toBeVisible();
  const rows = owner.getByRole("table", { name: "Transactions" }).locator("tbody tr");
  await expect(rows).toHaveText([/Quay Cafe and Bar/u]);
  await owner.goto(`/cards/${card.id}`);
  const timeline = owner.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText("€20.00 · −$21.74")).toBeVisible();
  await owner.goto("/transactions");
  await expect(owner.getByRole("row", { name: /Quay Cafe/u })).toContainText("€20.00 · −$21.74");
});
