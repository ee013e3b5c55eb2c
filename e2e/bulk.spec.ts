import type { APIRequestContext, Locator, Page } from "@playwright/test";
import {
  callApi,
  expect,
  expectProgress,
  newCard,
  readCard,
  refreeze,
  selectAll,
  test,
  topUp,
  valueOf,
} from "./fixtures.ts";
import type { Account } from "./fixtures.ts";
import { pick } from "./dialogs.ts";

type NewCard = Awaited<ReturnType<typeof newCard>>;

/** A card for each of these people. */
async function newCards<const Names extends readonly string[]>(
  request: APIRequestContext,
  account: Account,
  names: Names,
): Promise<{ [At in keyof Names]: NewCard }> {
  const cards: NewCard[] = [];
  for (const name of names) {
    cards.push(await newCard(request, account, { name }));
  }
  // One for each name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return cards as { [At in keyof Names]: NewCard };
}

async function freezeSelected(page: Page, count: number, reason: string) {
  await selectAll(page, count);
  await page.getByRole("button", { name: "Freeze", exact: true }).click();
  await chooseReason(page, reason);
}

/** Picks a reason in the dialog that is open. */
async function chooseReason(page: Page, name: string): Promise<void> {
  await pick(page.getByRole("dialog"), /Reason/u, name);
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

test("freezing many leaves out a closed card and says why; undoing it leaves a colleague's freeze alone", async ({
  owner,
  account,
  request,
}) => {
  const [open, other, closed] = await newCards(request, account, [
    "Mei Tanaka",
    "Owen Walsh",
    "Aiko Mori",
  ]);
  await callApi(request, account, { method: "POST", path: `/cards/${closed.id}/close`, body: {} });
  await owner.goto("/cards");
  await selectAll(owner, 3);
  await owner.getByRole("button", { name: "Freeze", exact: true }).click();
  const dialog = owner.getByRole("dialog", { name: "Freeze 3 selected cards" });
  const skipped = dialog.getByRole("region", { name: "Skipped (1)" });
  await expect(skipped.getByText(`Aiko Mori •••• ${closed.last4}`)).toBeVisible();
  await expect(skipped.getByText(/^This card is closed/u)).toBeVisible();
  await expect(dialog.getByRole("region", { name: "To be frozen (2)" })).toContainText(
    "Mei Tanaka",
  );
  await chooseReason(owner, "Compromised");
  await dialog.getByRole("button", { name: "Freeze 2 cards" }).click();
  await expect(owner.getByRole("heading", { name: "Freeze 2 cards" })).toBeVisible();
  await expectProgress(owner, "Frozen 2 of 2");
  await expect(valueOf(owner, "Reason")).toHaveText("Compromised");
  await expect(rowOf(owner, "Mei Tanaka").getByRole("link")).toHaveAttribute(
    "href",
    `/cards/${open.id}`,
  );

  await refreeze(request, account, open.id);
  await owner.getByRole("button", { name: "Undo" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Undo job" }).click();
  await expect(owner.getByRole("heading", { name: "Undo: 2 freezes" })).toBeVisible();
  await expectProgress(owner, "Undone 1 of 2 · 1 refused");
  await expect(rowOf(owner, "Mei Tanaka")).toContainText(
    "freeze has been changed again. It was left as it is.",
  );
  const read = (id: string) => readCard(request, account, id);
  expect((await read(open.id)).freeze.reason).toBe("stolen");
  expect((await read(other.id)).status).toBe("active");
});

test("three cards are frozen and unfrozen again by seven clicks and a key", async ({
  owner,
  account,
  request,
}) => {
  const cards = await newCards(request, account, ["Mei Tanaka", "Owen Walsh", "Aiko Mori"]);
  const statuses = async () => (await Promise.all(cards.map(read))).map(({ status }) => status);
  const read = ({ id }: NewCard) => readCard(request, account, id);
  const press = (name: string) => owner.getByRole("button", { name, exact: true }).click();
  await owner.goto("/cards");
  for (const { name } of cards) {
    await owner.getByRole("checkbox", { name: new RegExp(`^Select ${name}`, "u") }).click();
  }
  await press("Freeze");
  await expect(owner.getByRole("combobox", { name: /^Reason/u })).toBeFocused();
  await owner.keyboard.press("i");
  await press("Freeze 3 cards");
  await expectProgress(owner, "Frozen 3 of 3");
  expect((await read(cards[0])).freeze.reason).toBe("inactivity");
  expect(await statuses()).toEqual(["frozen", "frozen", "frozen"]);
  await press("Undo");
  await press("Undo job");
  await expectProgress(owner, "Undone 3 of 3");
  expect(await statuses()).toEqual(["active", "active", "active"]);
});

test("unfreezing many lifts a freeze for fraud only where it is selected by name, and can be taken back", async ({
  owner,
  account,
  request,
}) => {
  const [fraud, idle] = await newCards(request, account, ["Mei Tanaka", "Owen Walsh"]);
  const freeze = (id: string, reason: string) =>
    callApi(request, account, { path: `/cards/${id}/freeze`, body: { reason } });
  const read = (id: string) => readCard(request, account, id);
  await freeze(fraud.id, "suspected_fraud");
  await freeze(idle.id, "inactivity");
  await owner.goto("/cards?status=frozen");
  await selectAll(owner, 2);
  await owner.getByRole("button", { name: "Unfreeze", exact: true }).click();
  const dialog = owner.getByRole("dialog", { name: "Unfreeze 2 selected cards" });
  const guarded = dialog.getByRole("group", { name: "1 card was frozen to protect it" });
  await expect(guarded.getByText(/suspected fraud$/u)).toBeVisible();
  await dialog.getByRole("button", { name: "Unfreeze 1 card" }).click();
  await expectProgress(owner, "Unfrozen 1 of 1");
  expect((await read(fraud.id)).status).toBe("frozen");
  await owner.getByRole("button", { name: "Undo" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Undo job" }).click();
  await expectProgress(owner, "Undone 1 of 1");
  expect((await read(idle.id)).freeze.reason).toBe("inactivity");

  await owner.goto("/cards?status=frozen");
  await selectAll(owner, 2);
  await owner.getByRole("button", { name: "Unfreeze", exact: true }).click();
  await guarded.getByText(/^Mei Tanaka/u).click();
  await dialog.getByRole("button", { name: "Unfreeze 2 cards" }).click();
  await expectProgress(owner, "Unfrozen 2 of 2");
  expect((await read(fraud.id)).status).toBe("active");
});

test("all cards that match are frozen and unfrozen, also those that the page does not show", async ({
  owner,
  account,
  request,
}) => {
  test.setTimeout(360_000);
  await newCards(
    request,
    account,
    Array.from({ length: 55 }, (_, at) => `Holder Number${at}`),
  );
  await owner.goto("/cards?status=active");
  await selectAll(owner, 50);
  await owner.getByRole("button", { name: "Select all 55 that match" }).click();
  await expect(owner.getByText("All 55 selected")).toBeVisible();
  await owner.getByRole("button", { name: "Freeze", exact: true }).click();
  const dialog = owner.getByRole("dialog", { name: "Freeze all 55 cards that match" });
  await chooseReason(owner, "Internal review");
  await dialog.getByRole("button", { name: "Freeze 55 cards" }).click();
  await expectProgress(owner, "Frozen 55 of 55");

  await owner.goto("/cards?status=frozen");
  await selectAll(owner, 50);
  await owner.getByRole("button", { name: "Select all 55 that match" }).click();
  await owner.getByRole("button", { name: "Unfreeze", exact: true }).click();
  const lift = owner.getByRole("dialog", { name: "Unfreeze all 55 cards that match" });
  const action = lift.getByRole("button", { name: /^Unfreeze 55 cards/u });
  await expect(action).toHaveAccessibleName(/Confirm that freezes for fraud/u);
  await lift.getByText("Also lift freezes for fraud, loss, theft, and compliance").click();
  await action.click();
  await expectProgress(owner, "Unfrozen 55 of 55");
  const listed = await callApi(request, account, { method: "GET", path: "/cards?status=frozen" });
  expect(listed).toHaveLength(0);
});

test("25 cards are frozen at once; the file of the list and that of the results have them", async ({
  owner,
  account,
  request,
}) => {
  await newCards(
    request,
    account,
    Array.from({ length: 25 }, (_, at) => `Holder Number${at}`),
  );
  await owner.goto("/cards?status=active");
  await freezeSelected(owner, 25, "Internal review");
  await owner.getByRole("dialog").getByRole("button", { name: "Freeze 25 cards" }).click();
  await expectProgress(owner, "Frozen 25 of 25");
  await expect(owner.getByRole("link", { name: /^Holder Number/u })).toHaveCount(25);
  const results = await downloadFrom(owner, owner.getByRole("link", { name: "Export CSV" }));
  expect(results).toHaveLength(26);
  expect(results[1]).toContain(",done,");
  await owner.getByRole("link", { name: "Bulk jobs" }).click();
  await expect(rowOf(owner, "Freeze 25 cards")).toContainText("Completed");
  await owner.goto("/cards");
  const cards = await downloadFrom(owner, owner.getByRole("link", { name: "Export CSV" }));
  expect(cards).toHaveLength(26);
  expect(cards[0]).toMatch(/^id,name,last4,status,/u);
  expect(cards[1]).toContain("frozen");
});

/** The lines of a file that pressing something downloads. */
async function downloadFrom(page: Page, button: Locator): Promise<string[]> {
  const download = page.waitForEvent("download");
  await button.click();
  const file = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of file) {
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString("utf8").trim().split("\r\n");
}

test("500 rows of a file are checked and credited: 7 bad ones say why, and are left out", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 10_000);
  const [first, second, closed] = await newCards(request, account, [
    "Mei Tanaka",
    "Owen Walsh",
    "Aiko Mori",
  ]);
  await callApi(request, account, { method: "POST", path: `/cards/${closed.id}/close`, body: {} });
  const bad = [
    [`${second.id},"1,000",`, "Needs $1,000.00"],
    [`${closed.id},3,`, "This card is closed"],
    [`${first.id},-4,`, "without a sign"],
    [`${first.id},1.005,`, "at most 2 decimals"],
    [`${first.id},,`, "Enter an amount"],
    [`${crypto.randomUUID()},4,`, "no such card"],
    ["4242,4,", "not the ID of a card"],
  ] as const;
  const good = Array.from(
    { length: 493 },
    (_, at) => `${[first, second][at % 2]?.id},0.10,October`,
  );
  const lines = ["card_id,amount,narrative", ...bad.map(([line]) => line), ...good];
  await owner.goto("/cards");
  await owner.getByRole("link", { name: "Credit many" }).click();
  const chooser = owner.waitForEvent("filechooser");
  await owner.getByRole("button", { name: "Choose file" }).click();
  await (
    await chooser
  ).setFiles({
    name: "october.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(lines.join("\r\n")),
  });
  const left = owner.getByRole("region", { name: "Left out: 7 rows" });
  for (const [at, [, why]] of bad.entries()) {
    const name = new RegExp(`^Row ${at + 2} `, "u");
    const row = left.getByRole("row").filter({ has: owner.getByRole("rowheader", { name }) });
    await expect(row).toContainText(why);
  }
  const button = owner.getByRole("button", { name: "Download these rows" });
  expect(await downloadFrom(owner, button)).toHaveLength(8);
  await expect(owner.getByRole("region", { name: "Ready: 493 rows" })).toContainText("$50.70");
  expect((await readCard(request, account, first.id)).balance).toBe(0);
  await owner.getByRole("button", { name: "Credit 493 rows with $49.30" }).click();
  await expectProgress(owner, "Credited 493 of 493");
  await expect(valueOf(owner, "Moved")).toHaveText("$49.30");
  expect((await readCard(request, account, first.id)).balance).toBe(2_470);
  expect((await readCard(request, account, second.id)).balance).toBe(2_460);
});

test("pasted rows are checked and credited by keyboard", async ({ owner, account, request }) => {
  await topUp(request, account, 10_000);
  const card = await newCard(request, account);
  await owner.goto("/cards/credit");
  await owner.getByRole("textbox", { name: "Rows" }).focus();
  await owner.keyboard.insertText("card_id,amount");
  await owner.keyboard.press("Tab");
  await expect(owner.getByRole("button", { name: "Check rows" })).toBeFocused();
  await owner.keyboard.press("Enter");
  await expect(owner.getByText("There are no rows to credit.")).toBeVisible();
  await owner.getByRole("textbox", { name: "Rows" }).focus();
  await owner.keyboard.press("ControlOrMeta+A");
  await owner.keyboard.insertText(`${card.id}\t7.25`);
  await owner.keyboard.press("Tab");
  await owner.keyboard.press("Enter");
  const planned = owner.getByRole("table", { name: "Who gets what" });
  await expect(planned.getByRole("row", { name: /Lin Osei/u })).toContainText("$7.25");
  await owner.getByRole("button", { name: "Credit 1 row with $7.25" }).press("Enter");
  await expectProgress(owner, "Credited 1 of 1");
  expect((await readCard(request, account, card.id)).balance).toBe(725);
});
