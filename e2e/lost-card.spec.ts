import type { Locator, Page } from "@playwright/test";
import { callApi, expect, newCard, readCard, simulate, test } from "./fixtures.ts";

/** A lost or stolen card, from its freeze to a summary. */

/** Clicks, and counts the clicks. */
function counted() {
  let clicks = 0;
  return {
    click: async (what: Locator) => {
      clicks += 1;
      await what.click();
    },
    total: () => clicks,
  };
}

function lostDialog(page: Page): Locator {
  return page.getByRole("dialog", { name: /^Lost or stolen: .+ •••• \d{4}$/u });
}

function button(where: Page | Locator, name: RegExp | string): Locator {
  return where.getByRole("button", { name });
}

test("a stolen card is frozen, replaced with its balance, and told of in five clicks", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, {
    name: "Mei Tanaka",
    float: 10_000,
    balance: 8_000,
  });
  await simulate(request, account, { cardId: card.id, type: "authorize", amount: 1_500 });
  await owner.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await owner.goto(`/cards/${card.id}`);
  const { click, total } = counted();
  const dialog = lostDialog(owner);
  await click(button(owner, "Lost or stolen"));
  await click(dialog.getByRole("radio", { name: "Stolen" }));
  await click(button(dialog, "Freeze card"));
  await expect(dialog.getByText("Frozen by Ada Winter")).toBeVisible();
  await expect(
    dialog.getByText(/^A replaced card is closed for good.+\$15\.00 stays on it/u),
  ).toBeVisible();
  await click(button(dialog, "Replace card"));
  await click(button(dialog, "Copy summary"));
  await expect(owner.getByText("Copied the summary.")).toBeVisible();
  expect(total()).toBeLessThanOrEqual(5);

  const old = await readCard(request, account, card.id);
  expect(old).toMatchObject({ status: "closed", balance: 1_500, held: 1_500 });
  const made = await readCard(request, account, old.replaced_by ?? "");
  expect(made).toMatchObject({ status: "active", balance: 6_500, replaces: card.id });
  const copied = await owner.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`Mei Tanaka •••• ${card.last4}: `);
  expect(copied).toContain(`/cards/${card.id}`);
  expect(copied).toMatch(/: Frozen by Ada Winter at the staff level: stolen\./u);
  expect(copied).toContain(`Closed, and replaced by •••• ${made.last4} with $65.00: `);
  await dialog.getByRole("link", { name: "Go to the new card" }).click();
  await expect(owner).toHaveURL(new RegExp(`/cards/${made.id}$`, "u"));
  await expect(owner.getByText("Replaces")).toBeVisible();
});

test("suspicious purchases are marked, noted, and told of; a closed dialog goes on where it was", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000, balance: 8_000 });
  const buy = (narrative: string, amount: number) =>
    simulate(request, account, { cardId: card.id, type: "deduct", amount, narrative });
  await buy("Groceries", 1_000);
  const stolen = await buy("Kiosk abroad", 2_000);
  await owner.goto(`/cards/${card.id}?act=lost`);
  const dialog = lostDialog(owner);
  const reopen = async () => {
    await owner.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await button(owner, "Lost or stolen").click();
  };
  await button(dialog, /^Freeze card: Choose what happened first/u).waitFor();
  await dialog.getByRole("radio", { name: "Lost" }).check();
  await button(dialog, "Freeze card").click();
  const suspicious = dialog.getByRole("checkbox", { name: /Kiosk abroad/u });
  await suspicious.check();
  await reopen();
  await expect(suspicious).toBeChecked();
  await expect(dialog.getByRole("checkbox", { name: /Groceries/u })).not.toBeChecked();
  await dialog.getByRole("radio", { name: /^Keep it frozen/u }).check();
  await button(dialog, "Finish").click();
  await expect(
    dialog.getByText(/1 suspicious purchase:\n- .+ · Kiosk abroad · \$20\.00 · Settled/u),
  ).toBeVisible();
  await reopen();
  await expect(suspicious).toBeDisabled();
  await dialog.getByRole("radio", { name: "Withdraw $50.00, and keep it frozen" }).check();
  await button(dialog, "Withdraw all").click();
  await expect(
    dialog.getByText(/\$50\.00 withdrawn to the float\. The card is still frozen\./u),
  ).toBeVisible();
  await reopen();
  await dialog.getByRole("radio", { name: /^Replace it with a new card/u }).check();
  await button(dialog, "Replace card").click();
  await expect(dialog.getByText("The card is replaced.")).toBeVisible();
  await reopen();
  await expect(dialog.getByText("The card is replaced.")).toBeVisible();
  await owner.reload();
  await button(owner, "Lost or stolen").click();
  await expect(dialog.getByText(/Closed, and replaced by •••• /u)).toBeVisible();
  const notes = await callApi(request, account, {
    method: "GET",
    path: `/cards/${card.id}/activity`,
  });
  const noted = notes.data.filter(({ type }: { type: string }) => type === "note");
  expect(
    noted.map(({ note }: { note: { transaction_id: string } }) => note.transaction_id),
  ).toEqual([stolen.id]);
});

test("the flow begins in the search and on the cardholder's page, too", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { name: "Aiko Mori" });
  await owner.goto(`/cardholders/${card.userId}`);
  await owner.getByRole("link", { name: `Lost or stolen: •••• ${card.last4}` }).click();
  await expect(lostDialog(owner)).toBeVisible();
  await owner.goto("/overview");
  await owner.keyboard.press("Control+k");
  await owner.keyboard.type("aiko");
  await owner.getByRole("option", { name: /^Lost or stolen: Aiko Mori/u }).click();
  await expect(lostDialog(owner)).toBeVisible();
});

test("a freeze that protects a card is not lifted by the page's main button", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  await callApi(request, account, { path: `/cards/${card.id}/freeze`, body: { reason: "stolen" } });
  await owner.goto(`/cards/${card.id}`);
  const colorOf = (name: string) =>
    button(owner, name).evaluate((each) => getComputedStyle(each).backgroundColor);
  await expect(button(owner, "Unfreeze")).toBeVisible();
  expect(await colorOf("Unfreeze")).toBe(await colorOf("Credit"));
  await expect(owner.locator("[data-main-action]")).toHaveCount(0);
  await callApi(request, account, { path: `/cards/${card.id}/unfreeze` });
  const body = { reason: "cardholder_request" };
  await callApi(request, account, { path: `/cards/${card.id}/freeze`, body });
  await owner.reload();
  expect(await colorOf("Unfreeze")).not.toBe(await colorOf("Credit"));
});
