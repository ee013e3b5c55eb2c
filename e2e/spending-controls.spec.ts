import type { Locator } from "@playwright/test";
import { callApi, expect, newCard, simulate, test, valueOf } from "./fixtures.ts";
import { join } from "./join.ts";

test("a card's page shows what it may buy, and what is left of each limit", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  await owner.goto(`/cards/${card.id}`);
  await expect(owner.getByRole("region", { name: "Details" })).toBeVisible();
  const panel = owner.getByRole("region", { name: "Spending controls" });
  await expect(panel.getByText("None. Everything may be bought.")).toBeVisible();
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

test("somebody sees what new controls would have declined, and saves them", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  const buy = (amount: number, merchant: object) =>
    simulate(request, account, { cardId: card.id, type: "deduct", amount, merchant });
  await buy(1_250, { name: "Corner Grocery", mcc: "5411", country: "US" });
  await buy(41_210, { name: "Lucky Casino", mcc: "7995", country: "GB" });
  const tried: string[] = [];
  owner.on("request", (sent) => {
    if (sent.url().endsWith("/spending-controls/backtest")) {
      tried.push(sent.postData() ?? "");
    }
  });
  await owner.goto(`/cards/${card.id}`);
  const panel = owner.getByRole("region", { name: "Spending controls" });
  await panel.getByRole("button", { name: "Edit spending controls" }).click();
  const dialog = owner.getByRole("dialog", { name: "Spending controls" });
  const status = dialog.getByRole("status");
  await expect(dialog.getByRole("radio", { name: "Use the account's controls" })).toBeChecked();
  await expect(status).toHaveText("Everything may be bought: no purchase would be declined.");
  await dialog.getByRole("radio", { name: "Controls of its own" }).check();
  await expect(status).toHaveText("Add a limit, or choose categories or countries.");

  await dialog.getByRole("button", { name: "Add limit" }).click();
  await expect(status).toHaveText("Enter an amount for each limit.");
  await dialog
    .getByRole("textbox", { name: "Amount in USD" })
    .pressSequentially("100.00", { delay: 30 });
  await expect(status).toHaveText(
    "In the last 30 days, these controls would have declined 1 of 2 purchases, $412.10.",
  );
  expect(tried).toHaveLength(1);
  await dialog.getByRole("button", { name: "What would have been declined" }).click();
  await expect(dialog.getByText("Spending limit exceeded")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Lucky Casino" })).toHaveAttribute(
    "href",
    /^\/transactions\//u,
  );

  await dialog
    .getByLabel("Categories", { exact: true })
    .selectOption("All except chosen categories");
  await dialog.getByRole("combobox", { name: "Blocked categories" }).fill("7995");
  await owner.getByRole("option", { name: /\(7995\)$/u }).click();
  await dialog.getByLabel("Countries", { exact: true }).selectOption("Only chosen countries");
  await expect(status).toHaveText("Choose the allowed countries.");
  await dialog.getByRole("combobox", { name: "Allowed countries" }).fill("united st");
  await owner.getByRole("option", { name: "United States (US)" }).click();
  await expect(dialog.getByText("Category blocked")).toBeVisible();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toBeHidden();
  await expect(panel.getByText("Monthly limit")).toBeVisible();
  await expect(valueOf(panel, "Blocked categories")).toContainText("(7995)");
  await expect(valueOf(panel, "Only countries")).toContainText("United States");

  await panel.getByRole("button", { name: "Edit spending controls" }).click();
  await expect(dialog.getByRole("textbox", { name: "Amount in USD" })).toHaveValue("100.00");
  await dialog.getByRole("radio", { name: "None: the card may buy everything" }).check();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(panel.getByText("None. Everything may be bought.")).toBeVisible();
});

test("scrolling beside an open list keeps the list and what was typed", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  await owner.setViewportSize({ width: 900, height: 400 });
  await owner.goto(`/cards/${card.id}`);
  await owner.getByRole("button", { name: "Edit spending controls" }).click();
  const dialog = owner.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Controls of its own" }).check();
  await dialog.getByRole("button", { name: "Add limit" }).click();
  await dialog.getByLabel("Countries", { exact: true }).selectOption("Only chosen countries");
  const field = dialog.getByRole("combobox", { name: "Allowed countries" });
  await field.fill("Germ");
  const found = owner.getByRole("option", { name: "Germany (DE)" });
  await expect(found).toBeVisible();
  await field.hover();
  const toGap = async () => (await topOf(found)) - (await topOf(field));
  const [gap, top] = [await toGap(), await topOf(field)];
  await owner.mouse.wheel(0, -40);
  await expect.poll(() => topOf(field)).toBeGreaterThan(top);
  await expect.poll(toGap).toBe(gap);
  await expect(field).toHaveValue("Germ");
  await owner.keyboard.press("Escape");
  await expect(found).toBeHidden();
  await expect(field).toHaveValue("");
  await expect(dialog).toBeVisible();
});

test("a viewer sees what a card may buy and cannot change it", async ({
  owner,
  browser,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  const viewer = await join(owner, browser, "viewer");
  await viewer.goto(`/cards/${card.id}`);
  const edit = viewer.getByRole("button", { name: "Edit spending controls" });
  await expect(edit).toHaveAttribute("aria-disabled", "true");
});

test("the account's default is tried on all cards, and applies to cards without controls of their own", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  const merchant = { name: "Lucky Casino", mcc: "7995", country: "GB" };
  await simulate(request, account, { cardId: card.id, type: "deduct", amount: 41_210, merchant });
  await owner.goto("/settings/account");
  const panel = owner.getByRole("region", { name: "Spending controls" });
  await panel.getByRole("button", { name: "Edit spending controls" }).click();
  const dialog = owner.getByRole("dialog", { name: "Spending controls" });
  await dialog.getByRole("radio", { name: "Only what these controls allow" }).check();
  await dialog.getByLabel("Countries", { exact: true }).selectOption("All except chosen countries");
  await dialog.getByRole("combobox", { name: "Blocked countries" }).fill("GB");
  await owner.getByRole("option", { name: "United Kingdom (GB)" }).click();
  await expect(dialog.getByRole("status")).toHaveText(
    "In the last 30 days, these controls would have declined 1 of 1 purchase, $412.10.",
  );
  await dialog.getByRole("button", { name: "What would have been declined" }).click();
  await expect(dialog.getByRole("region", { name: "Cards" }).getByRole("link")).toHaveAttribute(
    "href",
    `/cards/${card.id}`,
  );
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(valueOf(panel, "Blocked countries")).toContainText("United Kingdom");
  await owner.goto(`/cards/${card.id}`);
  const ofCard = owner.getByRole("region", { name: "Spending controls" });
  await expect(ofCard.getByText("The account's default")).toBeVisible();
  await expect(ofCard.getByText("United Kingdom")).toBeVisible();
});

test("spending controls of selected cards are set in one job, and undone", async ({
  owner,
  account,
  request,
}) => {
  const cards = [
    await newCard(request, account, { float: 10_000 }),
    await newCard(request, account),
  ];
  await owner.goto("/cards");
  await owner.getByRole("checkbox", { name: "Select all" }).press("Space");
  await owner.getByRole("button", { name: "Spending controls" }).click();
  const dialog = owner.getByRole("dialog", { name: "Set spending controls of 2 selected cards" });
  await dialog.getByRole("radio", { name: "Controls of their own" }).check();
  await dialog.getByRole("button", { name: "Add limit" }).click();
  await dialog.getByRole("textbox", { name: "Amount in USD" }).fill("25");
  await dialog.getByRole("button", { name: "Set for 2 cards" }).click();
  await expect(
    owner.getByRole("heading", { name: "Set spending controls of 2 cards" }),
  ).toBeVisible();
  await expect(owner.getByText("Set 2 of 2")).toBeVisible();
  const panel = owner.getByRole("region", { name: "Spending controls" });
  await expect(panel.getByText("$25.00")).toBeVisible();
  const job = owner.url();
  await owner.goto(`/cards/${cards[0]?.id}`);
  await expect(panel.getByText("$25.00 left")).toBeVisible();

  await owner.goto(job);
  await owner.getByRole("button", { name: "Undo" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Undo job" }).click();
  await expect(
    owner.getByRole("heading", { name: "Undo: spending controls of 2 cards" }),
  ).toBeVisible();
  await expect(owner.getByText("Undone 2 of 2")).toBeVisible();
  await owner.goto(`/cards/${cards[0]?.id}`);
  await expect(panel.getByText("None. Everything may be bought.")).toBeVisible();
});

async function topOf(place: Locator): Promise<number> {
  return (await place.boundingBox())?.y ?? 0;
}
