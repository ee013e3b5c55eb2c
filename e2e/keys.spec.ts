import { expect, test } from "./fixtures.ts";

test("a key made on the screen works with curl's request; revoked, it is a 401", async ({
  owner,
  request,
}) => {
  await owner.goto("/developers/api-keys");
  await owner.getByRole("button", { name: "Create key" }).click();
  const dialog = owner.getByRole("dialog", { name: "Create API key" });
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("This field must not be empty.")).toBeVisible();
  await dialog.getByRole("textbox", { name: /^Name/u }).fill("Nightly job");
  const granted = dialog.getByRole("checkbox", { checked: true });
  await expect(granted).toHaveCount(1);
  await expect(granted).toHaveAccessibleName(/^View cards and cardholders/u);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await dialog.getByRole("note", { name: "API key" }).innerText();
  const ask = () => request.get("/api/cards", { headers: { Authorization: `Bearer ${key}` } });
  expect((await ask()).status()).toBe(200);
  await dialog.getByRole("button", { name: "Done" }).click();

  const line = owner.getByRole("row", { name: /^Nightly job/u }).last();
  await expect(line).not.toContainText(key);
  await line.getByRole("button", { name: "Rotate" }).click();
  const rotation = owner.getByRole("dialog", { name: "Rotate Nightly job" });
  await rotation.getByRole("combobox", { name: "The old key stops" }).selectOption("In 1 day");
  await rotation.getByRole("button", { name: "Rotate key" }).click();
  const next = await rotation.getByRole("note", { name: "API key" }).innerText();
  expect(next).not.toBe(key);
  const asNext = { headers: { Authorization: `Bearer ${next}` } };
  expect((await request.get("/api/cards", asNext)).status()).toBe(200);
  expect((await ask()).status()).toBe(200);
  await rotation.getByRole("button", { name: "Done" }).click();
  await expect(owner.getByRole("row", { name: /^Nightly job/u })).toHaveCount(2);

  await line.getByRole("button", { name: "Revoke" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(line.getByText(/^Revoked/u)).toBeVisible();
  expect((await ask()).status()).toBe(401);
});
