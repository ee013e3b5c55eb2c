import { callApi, expect, newCard, test } from "./fixtures.ts";
import { pressDisabled } from "./press-disabled.ts";

test.use({ viewport: { width: 375, height: 812 } });

test("on a phone, a card's actions are in a sheet, which the keyboard reaches and leaves", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000, balance: 5_000 });
  await owner.goto(`/cards/${card.id}`);
  const freeze = owner.getByRole("button", { name: "Freeze" });
  const more = owner.getByRole("button", { name: "More actions" });
  await expect(owner.getByRole("button", { name: "Credit" })).toBeHidden();
  // One row.
  expect((await freeze.boundingBox())?.y).toBe((await more.boundingBox())?.y);

  await more.focus();
  await owner.keyboard.press("Enter");
  const sheet = owner.getByRole("dialog", { name: "More actions" });
  await expect(sheet.getByRole("button")).toHaveText([
    "Credit",
    "Debit",
    "Withdraw all",
    "Simulate",
    "Lost or stolen",
    "Close card",
  ]);
  await owner.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(more).toBeFocused();

  await owner.keyboard.press("Enter");
  await sheet.getByRole("button", { name: "Debit" }).press("Enter");
  const dialog = owner.getByRole("dialog", { name: /^Debit /u });
  await expect(dialog.getByRole("textbox", { name: "Amount" })).toBeFocused();
  await expect(sheet).toBeHidden();
  await owner.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(more).toBeFocused();
});

test("a disabled action in the sheet says why", async ({ owner, account, request }) => {
  const card = await newCard(request, account);
  await callApi(request, account, { method: "POST", path: `/cards/${card.id}/close` });
  await owner.goto(`/cards/${card.id}`);
  await owner.getByRole("button", { name: "More actions" }).click();
  const credit = owner.getByRole("button", { name: /^Credit: This card is closed/u });
  await expect(credit).toHaveAttribute("aria-disabled", "true");
  await pressDisabled(credit);
  await expect(owner.getByRole("tooltip")).toContainText("This card is closed");
});

/** The design's bounds, in pixels. */
const BANNER_MAX = 44;
const FIRST_ROW_MAX = 360;

test("an alert is one line until it is expanded, and a list's first row is near the top", async ({
  owner,
  account,
  request,
}) => {
  await newCard(request, account, { float: 10_000 });
  await owner.goto("/cards");
  const row = owner.getByRole("row").filter({ hasText: "Active" });
  expect((await row.boundingBox())?.y).toBeLessThanOrEqual(FIRST_ROW_MAX);

  const body = { low_balance_threshold: 90_000 };
  await callApi(request, account, { path: "/card-integrators/settings", body });
  await owner.reload();
  const alert = owner.getByRole("status").filter({ hasText: "below your low-balance threshold" });
  const height = async () => (await alert.boundingBox())?.height ?? 0;
  const whole = alert.getByRole("button", { name: "Show full alert" });
  await expect(whole).toHaveAttribute("aria-expanded", "false");
  expect(await height()).toBeLessThanOrEqual(BANNER_MAX);
  await whole.click();
  await expect(whole).toHaveAttribute("aria-expanded", "true");
  expect(await height()).toBeGreaterThan(BANNER_MAX);
  await whole.click();
  await expect(whole).toHaveAttribute("aria-expanded", "false");
  expect(await height()).toBeLessThanOrEqual(BANNER_MAX);
  // Whoever reaches the link by keyboard sees it.
  await alert.getByRole("link", { name: "Go to float" }).focus();
  await expect.poll(height).toBeGreaterThan(BANNER_MAX);
});

test("the list of staff says who has two-factor authentication", async ({ owner }) => {
  await owner.goto("/settings/staff");
  await expect(
    owner.getByRole("row", { name: /^Ada Winter/u }).getByText(/^Two-factor/u),
  ).toBeVisible();
});
