import { callApi, expect, newCard, readCard, test, valueOf } from "./fixtures.ts";

const COMMAS =
  "Use a decimal point, and commas only between groups of three digits, such as 1,234.56.";

const REFUSED = [
  ["20,00", COMMAS],
  ["1.234,56", COMMAS],
  ["12.345", "USD amounts have at most 2 decimals."],
  ["999999999999", "The maximum is $10,000,000,000.00."],
  ["-5", "Enter the amount without a sign."],
  ["1e3", "Enter the amount in digits, such as 1,234.56."],
  ["0", "The minimum is $0.01."],
] as const;

test("an amount that is not plain is refused with a sentence, stays as typed, and nothing is sent", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 1_000_000 });
  const sent: string[] = [];
  owner.on("request", (made) => {
    if (made.method() === "PATCH") {
      sent.push(made.url());
    }
  });
  await owner.goto(`/cards/${card.id}?act=credit`);
  const dialog = owner.getByRole("dialog", { name: /^Credit .+ •••• /u });
  const field = dialog.getByRole("textbox", { name: "Amount in USD" });
  for (const [typed, sentence] of REFUSED) {
    await field.fill("");
    await field.pressSequentially(typed);
    await field.press("Enter");
    await expect(dialog.getByText(sentence)).toBeVisible();
    await expect(field).toHaveValue(typed);
    await expect(dialog.getByRole("button", { name: "Credit", exact: true })).toBeVisible();
  }
  expect(sent).toEqual([]);
  await field.fill("$1,234.50");
  await dialog.getByRole("button", { name: "Credit $1,234.50" }).click();
  await expect(valueOf(owner, "Balance")).toHaveText("$1,234.50");
  expect((await readCard(request, account, card.id)).balance).toBe(123_450);
});

test("the preview and the button follow each keystroke", async ({ owner, account, request }) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  await owner.goto(`/cards/${card.id}?act=debit`);
  const dialog = owner.getByRole("dialog", { name: /^Debit .+ •••• /u });
  const field = dialog.getByRole("textbox", { name: "Amount" });
  const steps = [
    ["2", "$498.00", "Debit $2.00"],
    ["5", "$475.00", "Debit $25.00"],
    [".", "$500.00", "Debit"],
    ["5", "$474.50", "Debit $25.50"],
  ] as const;
  for (const [key, after, action] of steps) {
    await field.press(key);
    await expect(valueOf(dialog, "Card available")).toHaveText(`$500.00${after}`);
    await expect(dialog.getByRole("button", { name: action, exact: true })).toBeVisible();
    await expect(dialog.getByText(COMMAS)).toBeHidden();
  }
});

test("the sentence appears as soon as no more typing can help, and goes as soon as it can", async ({
  owner,
}) => {
  await owner.goto("/float");
  await owner.getByRole("button", { name: "Top up" }).first().click();
  const dialog = owner.getByRole("dialog", { name: "Top up the float" });
  const field = dialog.getByRole("textbox", { name: "Amount" });
  await field.pressSequentially("1,234");
  await expect(dialog.getByRole("button", { name: "Top up $1,234.00" })).toBeVisible();
  await field.pressSequentially(".567");
  await expect(dialog.getByText("USD amounts have at most 2 decimals.")).toBeVisible();
  await expect(field).toHaveValue("1,234.567");
  await field.press("Backspace");
  await expect(dialog.getByText("USD amounts have at most 2 decimals.")).toBeHidden();
  await expect(dialog.getByRole("button", { name: "Top up $1,234.56" })).toBeVisible();
});

test("the threshold and the filters refuse what is not plain, too", async ({
  owner,
  account,
  request,
}) => {
  await owner.goto("/float");
  await owner.getByRole("button", { name: "Edit warning" }).click();
  const warning = owner.getByRole("dialog", { name: "Low-balance warning" });
  await warning.getByRole("textbox", { name: "Warn below" }).fill("20,00");
  await warning.getByRole("button", { name: "Save" }).click();
  await expect(warning.getByText(COMMAS)).toBeVisible();
  await warning.getByRole("textbox", { name: "Warn below" }).fill("1,250.50");
  await warning.getByRole("button", { name: "Save" }).click();
  await expect(owner.getByText("Warn below $1,250.50")).toBeVisible();
  const me = await callApi(request, account, { method: "GET", path: "/card-integrators/me" });
  expect(me.data.low_balance_threshold).toBe(125_050);
  await owner.getByRole("button", { name: "Edit warning" }).click();
  await expect(warning.getByRole("textbox", { name: "Warn below" })).toHaveValue("1,250.50");
  await owner.goto("/cards");
  await expect(
    owner.getByRole("status").filter({ hasText: "below your low-balance threshold of $1,250.50" }),
  ).toBeVisible();

  await owner.goto("/transactions");
  await owner.getByRole("button", { name: "Filters" }).click();
  const filters = owner.getByRole("dialog", { name: "Filter transactions" });
  await filters.getByRole("textbox", { name: "Maximum amount" }).fill("12.345");
  await filters.getByRole("button", { name: "Show transactions" }).click();
  await expect(filters.getByText("USD amounts have at most 2 decimals.")).toBeVisible();
  await filters.getByRole("textbox", { name: "Maximum amount" }).fill("0");
  await filters.getByRole("button", { name: "Show transactions" }).click();
  await expect(owner.getByRole("link", { name: /At most \$0\.00/u })).toBeVisible();
});
