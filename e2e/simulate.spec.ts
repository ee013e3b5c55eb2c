import { openSimulation, pick, takeSuggestion } from "./dialogs.ts";
import { callApi, expect, simulate, test, valueOf } from "./fixtures.ts";

test("an open authorization is expired in the dialog, and its page says so", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog, send } = await openSimulation(owner, account, request);
  await pick(dialog, /Type/u, /^Expiry/u);
  await expect(dialog.getByText("This card has no open authorizations.")).toBeVisible();
  // Its name ends with the reason once what explains it has been fetched.
  const disabled = dialog.getByRole("button", {
    name: "Simulate: There is no transaction to choose.",
  });
  await expect(disabled).toHaveAttribute("aria-disabled", "true");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const merchant = { name: "Quay Hotel" };
  await simulate(request, account, { cardId: card.id, type: "authorize", amount: 6_000, merchant });
  await owner.goto(`/cards/${card.id}?act=simulate`);
  await pick(dialog, /Type/u, /^Expiry/u);
  await expect(dialog.getByRole("textbox", { name: "Amount" })).toHaveCount(0);
  await send.click();
  await expect(dialog.getByText("Choose one.")).toBeVisible();
  await pick(dialog, /Authorization$/u, "$60.00 · Quay Hotel");
  await send.click();
  await expect(dialog.getByText("The hold was released.")).toBeVisible();
  await expect(dialog.getByText("Expired", { exact: true })).toBeVisible();
  await dialog.getByRole("link", { name: "View transaction" }).click();
  await owner.waitForURL("**/transactions/*");
  await expect(valueOf(owner, "Released")).toHaveText("$60.00");
  await expect(valueOf(owner, "Still held")).toHaveText("$0.00");
  await expect(valueOf(owner, "Expired")).toBeVisible();
  await owner.goto(`/cards/${card.id}`);
  await expect(valueOf(owner, "Available")).toHaveText("$100.00");
});

test("a decline is forced in the dialog, and is explained as forced wherever it is shown", async ({
  owner,
  account,
  request,
}) => {
  const { dialog, send } = await openSimulation(owner, account, request);
  for (const [type, reason] of [
    [/^Purchase/u, "Account suspended"],
    [/^Authorization/u, "Card frozen"],
  ] as const) {
    await pick(dialog, /Type/u, type);
    await dialog.getByRole("textbox", { name: "Amount" }).fill("12.50");
    await pick(dialog, /Decline with/u, reason);
    await send.click();
    await expect(dialog.getByText("$12.50 was declined.")).toBeVisible();
    await expect(dialog.getByText(`${reason}: forced in the sandbox`)).toBeVisible();
    await expect(dialog.getByText(/Ask the merchant to retry|Unfreeze this card/u)).toHaveCount(0);
    await dialog.getByRole("button", { name: "Simulate another" }).click();
  }
  await pick(dialog, /Decline with/u, /^None/u);
  await send.click();
  await expect(dialog.getByText("$12.50 was authorized.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();

  const timeline = owner.getByRole("region", { name: "Timeline" });
  await timeline.getByRole("link", { name: "Declined: card frozen" }).click();
  await owner.waitForURL("**/transactions/*");
  await expect(owner.getByText("Card frozen: forced in the sandbox")).toBeVisible();
  await expect(valueOf(owner, "Decline reason")).toHaveText("Card frozen");
});

test("a suggested merchant brings its narrative; both can be overwritten", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog, send } = await openSimulation(owner, account, request);
  const merchant = dialog.getByRole("combobox", { name: "Merchant" });
  const narrative = dialog.getByRole("combobox", { name: "Narrative" });
  await dialog.getByRole("textbox", { name: "Amount" }).fill("4.50");
  await takeSuggestion(dialog, /Merchant/u, "Harbour Coffee");
  await expect(merchant).toHaveValue("Harbour Coffee");
  await expect(narrative).toHaveValue("HARBOUR COFFEE BRISTOL GBR");
  await takeSuggestion(dialog, /Merchant/u, "Green Basket");
  await expect(narrative).toHaveValue("GREEN BASKET 0219");
  await narrative.fill("My own words");
  await takeSuggestion(dialog, /Merchant/u, "City Line Trains");
  await expect(narrative).toHaveValue("My own words");
  await send.click();
  await expect(dialog.getByText("$4.50 was approved.")).toBeVisible();
  await dialog.getByRole("button", { name: "Simulate another" }).click();
  await merchant.fill("Corner Café");
  await takeSuggestion(dialog, /Narrative/u, "HARBOUR COFFEE BRISTOL GBR");
  await send.click();
  await expect(dialog.getByText("$4.50 was approved.")).toBeVisible();

  const path = `/cards/${card.id}/transactions?type=deduct`;
  const { data } = await callApi(request, account, { method: "GET", path });
  expect(data).toMatchObject([
    {
      merchant: { name: "Corner Café", mcc: null, city: null, country: null },
      narrative: "HARBOUR COFFEE BRISTOL GBR",
    },
    {
      merchant: { name: "City Line Trains", mcc: "4112", city: "London", country: "GB" },
      narrative: "My own words",
    },
  ]);
});

test("a verification, an approval in part, and increments are simulated in the dialog and explained on their pages", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog, send } = await openSimulation(owner, account, request);
  const again = dialog.getByRole("button", { name: "Simulate another" });
  await pick(dialog, /Type/u, /^Verification/u);
  await expect(dialog.getByRole("textbox", { name: "Amount" })).toHaveCount(0);
  await send.click();
  await expect(dialog.getByText("The verification was approved.")).toBeVisible();
  await again.click();

  await pick(dialog, /Type/u, /^Authorization/u);
  await dialog.getByRole("textbox", { name: "Amount" }).fill("60");
  await send.click();
  await expect(dialog.getByText("$60.00 was authorized.")).toBeVisible();
  await again.click();
  await pick(dialog, /Type/u, /^Increment/u);
  await dialog.getByRole("textbox", { name: "Amount" }).fill("30");
  await pick(dialog, /Authorization$/u, /^\$60\.00/u);
  await send.click();
  await expect(dialog.getByText("$90.00 was authorized.")).toBeVisible();
  await again.click();
  await dialog.getByRole("textbox", { name: "Amount" }).fill("10.01");
  await pick(dialog, /Authorization$/u, /^\$90\.00/u);
  await send.click();
  await expect(dialog.getByText("$10.01 was declined.")).toBeVisible();
  await again.click();

  await pick(dialog, /Type/u, /^Authorization/u);
  await dialog.getByRole("textbox", { name: "Amount" }).fill("25");
  await pick(dialog, /If funds are insufficient/u, "Approve what is available");
  await send.click();
  await expect(dialog.getByText("$10.00 was authorized.")).toBeVisible();
  await dialog.getByRole("link", { name: "View transaction" }).click();
  await owner.waitForURL("**/transactions/*");
  await expect(valueOf(owner, "Requested")).toHaveText("$25.00");
  await expect(valueOf(owner, "Still held")).toHaveText("$10.00");

  await owner.goto(`/cards/${card.id}`);
  const timeline = owner.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("link", { name: "Verification" })).toBeVisible();
  await expect(timeline.getByRole("link", { name: "Partial authorization" })).toBeVisible();
  await timeline.getByRole("link", { name: "Declined increment: insufficient funds" }).click();
  await owner.waitForURL("**/transactions/*");
  await expect(owner.getByText("Related transactions")).toBeVisible();
  await expect(valueOf(owner, "Decline reason")).toHaveText("Insufficient funds");
});

test("messages out of order, an approval by the card network, and a cancellation are simulated in the dialog", async ({
  owner,
  account,
  request,
}) => {
  const { dialog, send } = await openSimulation(owner, account, request);
  const again = dialog.getByRole("button", { name: "Simulate another" });
  await pick(dialog, /Type/u, /^Authorization/u);
  await dialog.getByRole("textbox", { name: "Amount" }).fill("30");
  await pick(dialog, /Arrives before it/u, /^Its capture/u);
  await send.click();
  await expect(dialog.getByText("$30.00 was approved after its capture.")).toBeVisible();
  await expect(dialog.getByText("The card balance is $70.00")).toBeVisible();
  await again.click();
  await pick(dialog, /Arrives before it/u, /^Its reversal/u);
  await send.click();
  await expect(dialog.getByText("$30.00 was declined.")).toBeVisible();
  await again.click();

  await pick(dialog, /Type/u, /^Approval by the card network/u);
  await dialog.getByRole("textbox", { name: "Amount" }).fill("20");
  await send.click();
  await expect(dialog.getByText("$20.00 was authorized.")).toBeVisible();
  await again.click();

  await pick(dialog, /Type/u, /^Cancellation/u);
  await expect(dialog.getByRole("textbox", { name: "Amount" })).toHaveCount(0);
  await pick(dialog, /Purchase$/u, /^\$30\.00/u);
  await send.click();
  await expect(dialog.getByText("The card balance is $100.00")).toBeVisible();
});

test("the dialog that a link opened stays while the page follows two simulations late", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog, send } = await openSimulation(owner, account, request);
  await expect(owner).toHaveURL(`/cards/${card.id}`);
  const { promise: sentTwice, resolve: release } = Promise.withResolvers<void>();
  await owner.route(/_rsc=/u, async (route) => {
    await sentTwice;
    await route.continue();
  });
  for (const amount of ["60", "30"]) {
    await pick(dialog, /Type/u, /^Authorization/u);
    await dialog.getByRole("textbox", { name: "Amount" }).fill(amount);
    const refreshed = owner.waitForRequest(/_rsc=/u);
    await send.click();
    await refreshed;
    await dialog.getByRole("button", { name: "Simulate another" }).click();
  }
  release();
  await pick(dialog, /Type/u, /^Capture/u);
  await pick(dialog, /Authorization$/u, /^\$30\.00/u);
});
