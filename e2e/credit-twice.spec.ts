import { expect, expectProgress, newCard, readCard, test, topUp } from "./fixtures.ts";
import { pressDisabled } from "./press-disabled.ts";

test("rows that were credited today are credited again only if that is ticked; a guessed encoding is said", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 10_000);
  const card = await newCard(request, account);
  const credit = owner.getByRole("button", { name: "Credit 1 row with $7.25" });
  const choose = async () => {
    await owner.goto("/cards/credit");
    const chooser = owner.waitForEvent("filechooser");
    await owner.getByRole("button", { name: "Choose file" }).click();
    const buffer = Buffer.from(
      `sep=;\r\ncard_id;amount;narrative\r\n${card.id};7.25;Pr\u00E4mie`,
      "latin1",
    );
    await (await chooser).setFiles({ name: "october.csv", mimeType: "text/csv", buffer });
    await expect(owner.getByText(/was read as Windows-1252/u)).toBeVisible();
    await expect(owner.getByRole("textbox", { name: "Rows" })).toHaveValue(/Prämie/u);
    await expect(owner.getByRole("table", { name: "Who gets what" })).toBeVisible();
  };
  await choose();
  await credit.click();
  await expectProgress(owner, "Credited 1 of 1");
  await choose();
  await expect(owner.getByText(/^The same cards were credited/u)).toBeVisible();
  await expect(credit).toHaveAttribute("aria-disabled", "true");
  await pressDisabled(credit);
  expect((await readCard(request, account, card.id)).balance).toBe(725);
  await owner.getByRole("checkbox", { name: "Credit these rows again" }).click();
  await credit.click();
  await expectProgress(owner, "Credited 1 of 1");
  expect((await readCard(request, account, card.id)).balance).toBe(1_450);
});

test("a row names its card by its last four digits and the name on it", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 10_000);
  const card = await newCard(request, account, { name: "Zo\u00EB M\u00FCller" });
  await owner.goto("/cards/credit");
  const rows = [`${card.last4},zoe muller,5`, `${card.last4},Somebody Else,5`];
  await owner.getByRole("textbox", { name: "Rows" }).fill(`last4,name,amount\n${rows.join("\n")}`);
  await owner.getByRole("button", { name: "Check rows" }).click();
  await expect(owner.getByText(/^No open card of Somebody Else ends in/u)).toBeVisible();
  await owner.getByRole("button", { name: "Credit 1 row with $5.00" }).click();
  await expectProgress(owner, "Credited 1 of 1");
  expect((await readCard(request, account, card.id)).balance).toBe(500);
});
