import { callApi, expect, fillCardholder, newCard, simulate, test, valueOf } from "./fixtures.ts";

test("a frozen card is emptied: the float is up by exactly what was on it", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 12_345 });
  await callApi(request, account, { path: `/cards/${card.id}/freeze` });
  await owner.goto(`/cards/${card.id}`);
  await expect(valueOf(owner, "Balance")).toHaveText("$123.45");
  await owner.getByRole("button", { name: "Withdraw all" }).click();
  const dialog = owner.getByRole("dialog");
  await expect(dialog.getByText("$1,000.00")).toBeVisible();
  await dialog.getByRole("button", { name: "Withdraw $123.45" }).click();
  await expect(valueOf(owner, "Balance")).toHaveText("$0.00");
  await expect(owner.getByText("$123.45 returned to the float.")).toBeVisible();
  await expect(
    owner.getByRole("button", { name: /^Withdraw all: This card has no/u }),
  ).toBeVisible();
  const float = await callApi(request, account, { method: "GET", path: "/card-integrators/float" });
  expect(float.balance).toBe(100_000);
});

test("what a withdrawal has moved is named, not what its dialog expected", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 12_345 });
  const body = { card_id: card.id, amount: 500 };
  await owner.route("**/api/cards/debit/balance", async (route) => {
    await callApi(request, account, { path: "/cards/credit/balance", body });
    await route.continue();
  });
  await owner.goto(`/cards/${card.id}?act=withdraw`);
  await owner.getByRole("dialog").getByRole("button", { name: "Withdraw $123.45" }).click();
  await expect(owner.getByText("$128.45 returned to the float.")).toBeVisible();
});

test("a card is made for a new cardholder, and closed for good", async ({ owner }) => {
  await owner.goto("/cards");
  await owner.getByRole("button", { name: "Create card" }).click();
  await owner.getByRole("button", { name: "New cardholder" }).click();
  const dialog = owner.getByRole("dialog", { name: "Create card" });
  await dialog.getByRole("button", { name: "Add cardholder" }).click();
  await expect(dialog.getByText("This field must not be empty.").first()).toBeVisible();
  await fillCardholder(dialog);
  await dialog.getByRole("button", { name: "Add cardholder" }).click();
  await dialog.getByRole("button", { name: "Create card" }).click();
  await expect(owner.getByRole("heading", { name: "Nina Petrova" })).toBeVisible();
  await owner.getByRole("button", { name: "Close card" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Close card" }).click();
  await expect(owner.getByRole("button", { name: /^Freeze: This card is closed/u })).toBeVisible();
});

test("a card closes while an authorization is open; what it holds stays, and returns to the float when it is released", async ({
  owner,
  account,
  request,
}) => {
  const { id: cardId } = await newCard(request, account, { float: 10_000, balance: 10_000 });
  const held = await simulate(request, account, { cardId, type: "authorize", amount: 4_000 });
  await owner.goto(`/cards/${cardId}`);
  await owner.getByRole("button", { name: "Close card" }).click();
  const dialog = owner.getByRole("dialog");
  await expect(dialog.getByText("$60.00 returns to the float.")).toBeVisible();
  await expect(dialog.getByText(/^\$40\.00 stays on hold/u)).toBeVisible();
  await dialog.getByRole("button", { name: "Close card" }).click();
  await expect(valueOf(owner, "Balance")).toHaveText("$40.00");
  await simulate(request, account, { cardId, type: "reversal", transaction_id: held.id });
  await expect(valueOf(owner, "Balance")).toHaveText("$0.00");
});

test("search finds a card by its last four and by its name; filters stay in the address", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { name: "Aiko Mori" });
  await newCard(request, account, { name: "Owen Walsh" });
  await owner.goto("/cards");
  await owner.getByRole("searchbox", { name: "Search cards" }).fill("Aiko");
  await expect(owner.getByRole("row", { name: /Owen Walsh/u })).toHaveCount(0);
  await expect(owner).toHaveURL(/search=Aiko/u);
  await owner.reload();
  await expect(owner.getByRole("row", { name: /Aiko Mori/u })).toBeVisible();
  await owner.getByRole("searchbox", { name: "Search cards" }).fill(card.last4);
  await expect(owner.getByRole("row", { name: /Aiko Mori/u })).toBeVisible();
  await owner.getByRole("link", { name: "Frozen" }).click();
  await expect(owner.getByText("No cards found")).toBeVisible();
  await owner.getByRole("link", { name: "Show all cards" }).click();
  await expect(owner.getByRole("row", { name: /Owen Walsh/u })).toBeVisible();
  await expect(owner.getByRole("row").nth(1)).toContainText("Owen Walsh");
  // Arrow keys move the focus: down to the next card, left to its checkbox.
  await owner.getByRole("link", { name: /Owen Walsh/u }).focus();
  await owner.keyboard.press("ArrowDown");
  await expect(owner.getByRole("link", { name: /Aiko Mori/u })).toBeFocused();
  await owner.keyboard.press("ArrowLeft");
  await owner.keyboard.press("Space");
  await expect(owner.getByText("1 selected")).toBeVisible();
  await owner.getByRole("checkbox", { name: /^Select Owen Walsh/u }).click();
  await expect(owner.getByText("2 selected")).toBeVisible();
  await owner.getByRole("button", { name: "Clear selection" }).click();
  await owner.getByRole("link", { name: "Newest first" }).click();
  await expect(owner.getByRole("row").nth(1)).toContainText("Aiko Mori");
});

test("a link followed while a search is being typed leads where it says", async ({ owner }) => {
  await owner.clock.install();
  await owner.goto("/cards");
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await owner.route(
    (url) => url.pathname === "/float",
    async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    },
  );
  await owner.getByRole("searchbox", { name: "Search cards" }).fill("Aiko");
  await owner.getByRole("link", { name: "Float", exact: true }).click();
  await asked.promise;
  // The search has been sent after the pause in typing, and the next page is still loading.
  await owner.clock.runFor(2_000);
  released.resolve();
  await expect(owner.getByRole("heading", { name: "Float", exact: true })).toBeVisible();
  await expect(owner).toHaveURL(/\/float$/u);
});

test("a card's history is copied by a button that says so", async ({ owner, account, request }) => {
  await owner.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const card = await newCard(request, account);
  await owner.goto(`/cards/${card.id}`);
  await owner.getByRole("button", { name: "Copy what happened to this card" }).click();
  await expect(owner.getByText("Copied a summary for the cardholder.")).toBeVisible();
  expect(await owner.evaluate(() => navigator.clipboard.readText())).toContain(card.last4);
});
