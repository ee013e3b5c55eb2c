import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { callApi, expect, newCard, simulate } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";

/** Types $5.00 into the credit dialog of a new card, with $100.00 on the float. */
export async function typeCredit(page: Page, account: Account, request: APIRequestContext) {
  const card = await newCard(request, account, { float: 10_000 });
  await page.goto(`/cards/${card.id}?act=credit`);
  const dialog = page.getByRole("dialog", { name: /^Credit .+ •••• /u });
  await dialog.getByRole("textbox", { name: "Amount" }).fill("5");
  return { card, dialog };
}

/** Opens the freeze dialog of a new card. */
export async function openFreeze(page: Page, account: Account, request: APIRequestContext) {
  const card = await newCard(request, account);
  await page.goto(`/cards/${card.id}?act=freeze`);
  return { card, dialog: page.getByRole("dialog", { name: /^Freeze .+ •••• /u }) };
}

/** Opens the simulator of a new card with $100.00 on it, and $900.00 on the float. `send` is its button. */
export async function openSimulation(page: Page, account: Account, request: APIRequestContext) {
  const card = await newCard(request, account, { float: 100_000, balance: 10_000 });
  await page.goto(`/cards/${card.id}?act=simulate`);
  const dialog = page.getByRole("dialog", { name: "Simulate a transaction" });
  return { card, dialog, send: dialog.getByRole("button", { name: "Simulate", exact: true }) };
}

/** Chooses an option of a select. A string is the whole option. */
export async function pick(dialog: Locator, label: RegExp, option: RegExp | string): Promise<void> {
  const field = dialog.getByRole("combobox", { name: label });
  const named = field.getByRole("option").filter({ hasText: option });
  await field.selectOption({
    label: typeof option === "string" ? option : await named.first().innerText(),
  });
}

/** Takes a suggestion from the list that the button of a field opens. */
export async function takeSuggestion(dialog: Locator, label: RegExp, text: string): Promise<void> {
  const list = dialog.page().getByRole("listbox");
  await dialog.getByRole("button", { name: label }).click();
  await list.getByRole("option").filter({ hasText: text }).click();
  // The list fades out. Until it is gone, its options could be taken for those of the next one.
  await expect(list).toHaveCount(0);
}

/** The steps of the flow of a lost card: where each is, and what brings it about there. */
export async function toLostSteps(account: Account, request: APIRequestContext) {
  const [active, stolen, replaced] = [
    await newCard(request, account),
    await newCard(request, account, { balance: 5_000 }),
    await newCard(request, account),
  ];
  const bought = {
    cardId: stolen.id,
    type: "deduct",
    amount: 700,
    narrative: "Kiosk ☕️ ".repeat(20),
  };
  await simulate(request, account, bought);
  const body = { reason: "stolen" };
  await callApi(request, account, { path: `/cards/${stolen.id}/freeze`, body });
  await callApi(request, account, { method: "POST", path: `/cards/${replaced.id}/replace` });
  return [
    toLostPath(active.id),
    [toLostPath(stolen.id), (page: Page) => page.getByRole("dialog").getByRole("checkbox").check()],
    [toLostPath(stolen.id), keepFrozen],
    toLostPath(replaced.id),
  ] as const;
}

const toLostPath = (id: string) => `/cards/${id}?act=lost`;

async function keepFrozen(page: Page): Promise<void> {
  await page.getByRole("radio", { name: /^Keep it frozen/u }).check();
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page.getByRole("button", { name: "Copy summary" })).toBeVisible();
}

/** Opens the spending controls of a page, with a limit and a country. */
export function editControls(choice: string) {
  return async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Edit spending controls" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: choice }).check();
    await dialog.getByRole("button", { name: "Add limit" }).click();
    await dialog.getByLabel("Countries", { exact: true }).selectOption("Only chosen countries");
    await dialog.getByRole("combobox", { name: "Allowed countries" }).fill("Germany");
    await page.getByRole("option", { name: "Germany (DE)" }).click();
  };
}

/** Opens a dialog, and turns on what it is about. */
export function switchOn(button: string) {
  return async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").getByRole("switch").check();
  };
}

/** Opens the newest message of the outbox. */
export async function openMessage(page: Page): Promise<void> {
  await page.getByRole("row").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "What it says" })).toBeVisible();
}

/** Searches the documentation. */
export async function searchDocs(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill("webhook");
  await expect(page.getByRole("option").first()).toBeVisible();
}
