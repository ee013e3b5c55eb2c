import { callApi, expect, newCard, test, topUp } from "./fixtures.ts";
import { pick } from "./dialogs.ts";

test("the statement is narrowed down by type, card, and dates, on screen and in the export", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 100_000);
  const card = await newCard(request, account, { name: "Mei Tanaka", balance: 500 });
  await newCard(request, account, { name: "Noah Keller", balance: 700 });
  await callApi(request, account, {
    path: "/cards/debit/balance",
    body: { card_id: card.id, amount: 200, narrative: "Sent by mistake" },
  });
  await owner.goto("/float");
  const statement = owner.getByRole("table", { name: "Statement" });
  const rows = statement.getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText("Returned from cardSent by mistake");
  await expect(owner.getByRole("navigation", { name: "Pages" })).toContainText("4 of 4");
  const days = owner.getByRole("slider", { name: "Float, day by day" });
  await days.focus();
  await owner.keyboard.press("End");
  await expect(days).toHaveAttribute("aria-valuetext", /: Float \$990\.00$/u);

  await owner.getByRole("button", { name: "Filters" }).click();
  const dialog = owner.getByRole("dialog", { name: "Filter activity" });
  await pick(dialog, /Type/u, "Funded card");
  await dialog.getByRole("combobox", { name: "Card" }).fill("Tanaka");
  await owner
    .getByRole("listbox")
    .getByRole("option", { name: /Mei Tanaka/u })
    .click();
  await dialog.getByRole("button", { name: "Show activity" }).click();
  await expect(owner).toHaveURL(`/float?kind=card_credit&card_id=${card.id}`);
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("Mei Tanaka");
  const csv = await owner.request.get(
    (await owner.getByRole("link", { name: "Export CSV" }).getAttribute("href")) ?? "",
  );
  expect((await csv.text()).trimEnd().split("\r\n")).toHaveLength(2);

  await owner.getByRole("link", { name: "Remove filter: Funded card" }).click();
  await expect(rows).toHaveCount(3);
  await owner.getByRole("link", { name: "Today" }).click();
  await expect(owner).toHaveURL(/range=today/u);
  await expect(rows).toHaveCount(3);
  await owner.getByRole("button", { name: "Filters" }).click();
  await dialog.getByRole("textbox", { name: "From" }).fill("2026-01-31");
  await dialog.getByRole("button", { name: "Show activity" }).click();
  await expect(owner).toHaveURL(`/float?card_id=${card.id}&from=2026-01-31`);
  await owner.getByRole("link", { name: "Clear all" }).click();
  await expect(rows).toHaveCount(5);
});

test("while cards are searched, only those that match what is typed are offered", async ({
  owner,
  account,
  request,
}) => {
  await newCard(request, account, { name: "Mei Tanaka" });
  await newCard(request, account, { name: "Noah Keller" });
  await owner.goto("/float");
  await owner.getByRole("button", { name: "Filters" }).click();
  const picker = owner.getByRole("dialog").getByRole("combobox", { name: "Card" });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await picker.press("ArrowDown");
  await expect(owner.getByRole("listbox").getByRole("option")).toHaveCount(2);
  await owner.route("**/api/cards?*search=*", async (route) => {
    await answered;
    await route.continue();
  });
  await picker.fill("tanaka");
  await expect(owner.getByRole("listbox").getByRole("option")).toHaveText([/^Mei Tanaka/u]);
  await picker.fill("nobody");
  await expect(owner.getByText("Searching…")).toBeVisible();
  answer();
  await expect(owner.getByText("No cards found.")).toBeVisible();
});

test("a chosen card stays until another is chosen, whatever is searched meanwhile", async ({
  owner,
  account,
  request,
}) => {
  const mei = await newCard(request, account, { name: "Mei Tanaka" });
  const noah = await newCard(request, account, { name: "Noah Keller" });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await owner.route(`**/api/cards/${mei.id}`, async (route) => {
    await answered;
    await route.continue();
  });
  await owner.goto(`/float?card_id=${mei.id}`);
  await owner.getByRole("button", { name: "Filters" }).click();
  const dialog = owner.getByRole("dialog");
  const picker = dialog.getByRole("combobox", { name: "Card" });
  await dialog.getByRole("button", { name: "Show suggestions" }).click();
  await expect(owner.getByRole("listbox").getByRole("option")).toHaveCount(2);
  answer();
  await expect(picker).toHaveValue(/^Mei Tanaka/u);
  await expect(owner.getByRole("listbox").getByRole("option")).toHaveText([
    /^Noah Keller/u,
    /^Mei Tanaka/u,
  ]);
  await expect(
    owner.getByRole("listbox").getByRole("option", { name: /^Mei Tanaka/u }),
  ).toHaveAttribute("aria-selected", "true");
  await owner.keyboard.press("Escape");
  await picker.fill("nobody");
  await expect(owner.getByText("No cards found.")).toBeVisible();
  await owner.keyboard.press("Tab");
  await expect(picker).toHaveValue(/^Mei Tanaka/u);
  await picker.fill("noah");
  await owner
    .getByRole("listbox")
    .getByRole("option", { name: /^Noah Keller/u })
    .click();
  await expect(picker).toHaveValue(/^Noah Keller/u);
  await picker.press("ArrowDown");
  await expect(owner.getByRole("listbox").getByRole("option")).toHaveCount(2);
  await owner
    .getByRole("listbox")
    .getByRole("option", { name: /^Noah Keller/u })
    .click();
  await dialog.getByRole("button", { name: "Show activity" }).click();
  await expect(owner).toHaveURL(`/float?card_id=${noah.id}`);
});

test("a click beside a dialog keeps it and what has been typed; Escape closes it", async ({
  owner,
}) => {
  await owner.goto("/float");
  await owner.getByRole("button", { name: "Top up" }).first().click();
  const dialog = owner.getByRole("dialog", { name: "Top up" });
  const amount = dialog.getByRole("textbox", { name: "Amount" });
  await amount.fill("25");
  const blurs = await amount.evaluateHandle((input) => {
    const seen: string[] = [];
    input.addEventListener("blur", ({ type }) => seen.push(type));
    return seen;
  });
  await owner.mouse.click(5, 5);
  await expect(amount).toHaveValue("25");
  expect(await blurs.jsonValue()).toEqual([]);
  await owner.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("a filter that means nothing is reported, and one without matches says so", async ({
  owner,
}) => {
  await owner.goto("/float?kind=gift&from=tomorrow");
  await expect(
    owner.getByText("Not applied, because the value isn't valid: kind, from."),
  ).toBeVisible();
  await owner.goto("/float?kind=card_sweep");
  await expect(owner.getByText("No activity found")).toBeVisible();
  await owner.getByRole("link", { name: "Show all activity" }).click();
  await expect(owner.getByText("No activity yet")).toBeVisible();
});
