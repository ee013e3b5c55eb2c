import { callApi, expect, newCard, simulate, test, topUp, valueOf } from "./fixtures.ts";
import { openSimulation, pick } from "./dialogs.ts";
import { hurry } from "./hurry.ts";

test("a purchase that nobody approved and the card could not pay is explained, found, and repaid", async ({
  owner,
  account,
  request,
}) => {
  await hurry(owner);
  const { card, dialog, send } = await openSimulation(owner, account, request);
  await pick(dialog, /Type/u, /^Posting without authorization/u);
  const { available } = await callApi(request, account, {
    method: "GET",
    path: "/card-integrators/float",
  });
  // The card's $100.00, all of the float, and $7.00 that nobody has.
  const amount = (10_000 + available + 700) / 100;
  await dialog.getByRole("textbox", { name: "Amount" }).fill(amount.toFixed(2));
  await expect(dialog.getByLabel("Decline with")).toHaveCount(0);
  await send.click();
  await dialog.getByRole("link", { name: "View transaction" }).click();
  await owner.waitForURL("**/transactions/*");
  await expect(
    owner.getByText("The card network posted this purchase without asking for an authorization."),
  ).toContainText("Paid by the card $100.00");
  await expect(owner.getByText("$7.00 became part of the deficit.")).toBeVisible();
  await expect(valueOf(owner, "Posted")).toHaveText("Without authorization");
  await expect(owner.getByText("$7.00 is owed for purchases")).toBeVisible();

  await owner.goto("/overview");
  await owner.getByRole("link", { name: /^Posted without approval/u }).click();
  await owner.waitForURL("**/transactions?posted_as=any**");
  await expect(owner.getByRole("table").getByRole("row")).toHaveCount(2);

  await owner.goto("/float");
  await expect(owner.getByText("Owed", { exact: true })).toBeVisible();
  await topUp(request, account, 1_000);
  await expect(owner.getByText("$7.00 is owed for purchases")).toHaveCount(0);
  await expect(owner.getByText("Deficit repaid").first()).toBeVisible();

  await owner.goto(`/cards/${card.id}`);
  await expect(owner.getByText("Cover for a purchase").first()).toBeVisible();
});

test("a late capture has a row of its own, which names its authorization", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 5_000);
  const card = await newCard(request, account, { balance: 5_000 });
  const merchant = { name: "Quay Hotel" };
  const hold = { cardId: card.id, type: "authorize", amount: 2_000, merchant };
  const { id } = await simulate(request, account, hold);
  await simulate(request, account, { cardId: card.id, type: "expire", transaction_id: id });
  const late = await simulate(request, account, {
    cardId: card.id,
    type: "capture",
    transaction_id: id,
    amount: 2_000,
    force: true,
  });
  await owner.goto(`/transactions/${late.id}`);
  await expect(
    owner.getByText("The card network captured this authorization after it had expired."),
  ).toBeVisible();
  await owner.getByRole("link", { name: "Expired authorization" }).click();
  await expect(valueOf(owner, "Released")).toHaveText("$20.00");
});
