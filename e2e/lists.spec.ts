import { expect, newCard, test, topUp } from "./fixtures.ts";
import { join } from "./join.ts";
import { SIDE_BAR } from "./side-bar.ts";
import { pick } from "./dialogs.ts";
import { measureFirstScripts, measureIdleScripts } from "./measure-scripts.ts";

/** In bytes, compressed. */
const FIRST_SCRIPTS_MAX = 190_000;

const IDLE_SCRIPTS_MAX = 90_000;

/** Pages below those of the side bar. */
const FURTHER = ["/cards/credit", "/cards/bulk", "/float/statement"];

test("columns are chosen and ordered in a dialog, and stay in the address", async ({
  account,
  owner,
  request,
}) => {
  await newCard(request, account, { float: 10_000, balance: 700 });
  await owner.goto("/transactions");
  const heads = owner.getByRole("columnheader");
  await expect(heads).toHaveText(["Description", "Card", "Status", "Date", "Amount"]);
  await owner.getByRole("button", { name: "Columns" }).click();
  const dialog = owner.getByRole("dialog", { name: "Columns" });
  await dialog.getByRole("checkbox", { name: "Date" }).press("Space");
  await dialog.getByRole("checkbox", { name: "Posted" }).press("Space");
  for (let times = 0; times < 3; times += 1) {
    await dialog.getByRole("button", { name: "Move Posted up" }).press("Enter");
  }
  await pick(dialog, /Rows/u, "Compact");
  await dialog.getByRole("button", { name: "Show" }).click();
  await expect(heads).toHaveText(["Description", "Card", "Status", "Posted", "Amount"]);
  await owner.getByRole("link", { name: "Today" }).click();
  await expect(owner).toHaveURL(/columns=card%2Cstatus%2Cposted%2Camount&density=compact/u);
  await owner.reload();
  await expect(heads).toHaveText(["Description", "Card", "Status", "Posted", "Amount"]);
  await owner.goto("/transactions?columns=amount,nonsense");
  await expect(heads).toHaveText(["Description", "Amount"]);
  await owner.goto("/transactions?columns=nonsense");
  await expect(
    owner.getByText("Not applied, because the value isn't valid: columns."),
  ).toBeVisible();
});

test("a view keeps what a list shows, follows changes, and is shared with the account", async ({
  account,
  owner,
  browser,
  request,
}) => {
  await newCard(request, account, { name: "Mei Tanaka" });
  await owner.goto("/cards?status=frozen");
  await owner.getByRole("button", { name: "Save view" }).click();
  const save = owner.getByRole("dialog", { name: "Save view" });
  await save.getByRole("button", { name: "Save view" }).click();
  await expect(save.getByText("This field must not be empty.")).toBeVisible();
  await save.getByRole("textbox", { name: "Name" }).fill("Needs a look");
  await save.getByRole("textbox", { name: "Name" }).press("Enter");
  const views = owner.getByRole("navigation", { name: "Views" });
  const view = views.getByRole("link", { name: "Needs a look" });
  await expect(view).toHaveAttribute("aria-current", "true");
  await expect(owner.getByText("No cards found")).toBeVisible();

  await owner.getByRole("link", { name: "Active", exact: true }).click();
  await expect(owner.getByRole("rowheader", { name: /Mei Tanaka/u })).toBeVisible();
  await owner.getByRole("button", { name: "Save changes" }).click();
  await owner.getByRole("button", { name: "Edit view" }).click();
  const edit = owner.getByRole("dialog", { name: "Edit view" });
  await edit.getByRole("textbox", { name: "Name" }).fill("In use");
  await edit.getByRole("checkbox", { name: "Share with everyone in this account" }).press("Space");
  await edit.getByRole("button", { name: "Save" }).click();
  await views.getByRole("link", { name: "All" }).click();
  await expect(owner).toHaveURL("/cards");
  await views.getByRole("link", { name: "In use" }).click();
  await expect(owner).toHaveURL(/status=active/u);

  const viewer = await join(owner, browser, "viewer");
  await viewer.goto("/cards");
  await viewer.getByRole("link", { name: "In use" }).click();
  await expect(viewer.getByRole("rowheader", { name: /Mei Tanaka/u })).toBeVisible();
  await expect(viewer.getByRole("button", { name: /^Edit view: Only/u })).toBeVisible();

  await owner.goto("/cards");
  await views.getByRole("link", { name: "In use" }).click();
  await owner.getByRole("button", { name: "Edit view" }).click();
  await edit.getByRole("button", { name: "Delete view" }).click();
  await expect(views).toHaveCount(0);
  await viewer.reload();
  await expect(viewer.getByRole("link", { name: "In use" })).toHaveCount(0);
});

test("the pages of a list lead back the way they came", async ({ account, owner, request }) => {
  for (let amount = 1; amount <= 110; amount += 1) {
    await topUp(request, account, amount);
  }
  await owner.goto("/float");
  const pages = owner.getByRole("navigation", { name: "Pages" });
  const first = owner.getByRole("row", { name: /\+\$1\.10/u });
  await expect(first).toBeVisible();
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(pages).toContainText("50 of the remaining 60");
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(pages).toContainText("10 of the remaining 10");
  await pages.getByRole("link", { name: "Previous page" }).click();
  await expect(pages).toContainText("50 of the remaining 60");
  await pages.getByRole("link", { name: "Previous page" }).click();
  await expect(owner).toHaveURL("/float");
  await expect(first).toBeVisible();
});

test("a page's first load has at most 190 kB of scripts", async ({ owner }) => {
  await owner.goto("/overview");
  for (const path of [...SIDE_BAR, ...FURTHER]) {
    const bytes = await measureFirstScripts(owner, path);
    expect([path, bytes <= FIRST_SCRIPTS_MAX ? "small" : bytes]).toEqual([path, "small"]);
  }
});

test("a card's page loads at most 90 kB of scripts by itself once it has settled", async ({
  account,
  owner,
  request,
}) => {
  const card = await newCard(request, account);
  await owner.goto("/overview");
  const path = `/cards/${card.id}`;
  expect(await measureFirstScripts(owner, path)).toBeLessThanOrEqual(FIRST_SCRIPTS_MAX);
  const bytes = await measureIdleScripts(owner, path);
  // The dialogs of its actions.
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(IDLE_SCRIPTS_MAX);
});
