import { callApi, expect, fillCardholder, newCard, test, valueOf } from "./fixtures.ts";

test("a cardholder is created, gets a card with metadata, is edited, and is archived once the card is closed", async ({
  owner,
}) => {
  await owner.goto("/cardholders");
  await expect(owner.getByText("No cardholders yet")).toBeVisible();
  await owner.getByRole("button", { name: "Create cardholder" }).click();
  const creating = owner.getByRole("dialog", { name: "Create cardholder" });
  await fillCardholder(creating);
  await creating.getByRole("button", { name: "Add cardholder" }).click();
  await expect(owner.getByRole("heading", { name: "Nina Petrova" })).toBeVisible();
  const holder = new URL(owner.url()).pathname;

  await owner.getByRole("button", { name: "Create card" }).click();
  const issuing = owner.getByRole("dialog");
  await expect(issuing.getByText("For Nina Petrova")).toBeVisible();
  await issuing.getByRole("button", { name: "Create card" }).click();
  await owner.waitForURL("**/cards/**");
  const card = new URL(owner.url()).pathname;

  await owner.getByRole("button", { name: "Edit metadata" }).click();
  const labeling = owner.getByRole("dialog", { name: "Edit metadata" });
  await labeling.getByRole("textbox", { name: "Value 1" }).fill("4711");
  await labeling.getByRole("button", { name: "Save" }).click();
  await expect(labeling.getByText("Enter a key for each value.")).toBeVisible();
  await labeling.getByRole("textbox", { name: "Key 1" }).fill("order");
  await labeling.getByRole("button", { name: "Save" }).click();
  await expect(valueOf(owner, "order")).toHaveText("4711");
  await owner.goto(`/cards?search=${encodeURIComponent("order=4711")}`);
  await expect(owner.getByRole("row", { name: /Nina Petrova/u })).toBeVisible();

  await owner.goto(holder);
  await owner.getByRole("button", { name: "Edit", exact: true }).click();
  const editing = owner.getByRole("dialog", { name: "Edit cardholder" });
  await expect(editing.getByRole("textbox", { name: /^Apartment/u })).toHaveValue("Apt 4");
  await editing.getByRole("textbox", { name: /^Last name/u }).fill("Petrov");
  await editing.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByRole("heading", { name: "Nina Petrov", exact: true })).toBeVisible();
  await expect(
    owner.getByRole("button", { name: /^Archive: This cardholder has cards/u }),
  ).toHaveAttribute("aria-disabled", "true");

  await owner.goto(card);
  await owner.getByRole("button", { name: "Close card" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Close card" }).click();
  await expect(owner.getByRole("button", { name: /^Freeze: This card is closed/u })).toBeVisible();

  await owner.goto(holder);
  await owner.getByRole("button", { name: "Archive", exact: true }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await expect(
    owner.getByRole("button", { name: /^Create card: This cardholder is archived/u }),
  ).toBeVisible();
  await owner.goto("/cardholders");
  await expect(owner.getByText("No cardholders found")).toBeVisible();
  await owner.getByRole("link", { name: "Show all cardholders" }).click();
  await expect(owner.getByRole("row", { name: /Nina Petrov.*Archived/u })).toBeVisible();
  await owner.getByRole("link", { name: "Archived", exact: true }).click();
  await expect(owner.getByRole("row", { name: /Nina Petrov.*Archived/u })).toBeVisible();
});

test("a cardholder is erased once their card is closed, and is then nowhere named", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { name: "Ilse Brandt", float: 1_000, balance: 500 });
  await owner.goto(`/cardholders/${card.userId}`);
  await expect(
    owner.getByRole("button", { name: /^Erase cardholder: This cardholder has cards/u }),
  ).toHaveAttribute("aria-disabled", "true");

  await callApi(request, account, { method: "POST", path: `/cards/${card.id}/close` });
  await owner.reload();
  await owner.getByRole("button", { name: "Erase cardholder" }).click();
  const erasing = owner.getByRole("dialog", { name: "Erase Ilse Brandt" });
  await expect(erasing.getByText("This can't be undone.")).toBeVisible();
  await erasing.getByRole("button", { name: "Cancel" }).click();
  await owner.getByRole("button", { name: "Erase cardholder" }).click();
  await erasing.getByRole("button", { name: "Erase cardholder" }).click();

  await expect(owner.getByRole("heading", { name: "Erased cardholder", level: 1 })).toBeVisible();
  await expect(owner.getByText("Being erased")).toBeVisible();
  for (const name of ["Create card", "Edit", "Unarchive", "Erase cardholder"]) {
    await expect(
      owner.getByRole("button", { name: `${name}: This cardholder was erased, for good.` }),
    ).toHaveAttribute("aria-disabled", "true");
  }
  const places = [
    "/cardholders?show=all",
    `/cardholders/${card.userId}`,
    "/cards",
    `/cards/${card.id}`,
    "/transactions",
    "/float",
    "/developers/events",
    "/settings/audit-log",
  ];
  // The sweep erases within seconds.
  await expect(async () => {
    for (const place of places) {
      await owner.goto(place);
      await expect(owner.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await owner.locator("main").innerText()).not.toContain("Brandt");
    }
  }).toPass();
  await owner.goto("/cards");
  await expect(owner.getByRole("row", { name: /Erased cardholder/u })).toBeVisible();
  await owner.goto("/cardholders?search=Brandt&show=all");
  await expect(owner.getByText("No cardholders found")).toBeVisible();
});
