import { callApi, expect, newCard, test } from "./fixtures.ts";

const me = { method: "GET", path: "/card-integrators/me" };

test("the three fields are changed; what is wrong with one is said before anything is sent", async ({
  owner,
  account,
  request,
}) => {
  await owner.goto("/settings/account");
  await owner.getByRole("textbox", { name: "Webhook URL" }).fill("not a url");
  await owner.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByText(/This field must be an https URL/u)).toBeVisible();
  expect((await callApi(request, account, me)).data.webhook_url).toBeNull();

  await owner.getByRole("textbox", { name: "Business address" }).fill("2 Quay Street");
  await owner.getByRole("textbox", { name: "Webhook URL" }).fill("http://127.0.0.1:41099/hooks");
  await owner.getByRole("textbox", { name: "Domain" }).fill("cards.northwind.example");
  await owner.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByText("Changes saved")).toBeVisible();
  expect((await callApi(request, account, me)).data).toMatchObject({
    business_address: "2 Quay Street",
    webhook_url: "http://127.0.0.1:41099/hooks",
    domain: "cards.northwind.example",
  });
});

test("leaving with unsaved changes asks, by a link, by Back, and by closing; after saving it does not", async ({
  owner,
}) => {
  let isLeaving = false;
  const asked: string[] = [];
  owner.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void (isLeaving ? dialog.accept() : dialog.dismiss());
  });
  const domain = owner.getByRole("textbox", { name: "Domain" });
  const main = owner.getByRole("navigation", { name: "Main" });
  await owner.goto("/overview");
  await main.getByRole("link", { name: "Account" }).click();
  await domain.fill("unsaved.example");
  await main.getByRole("link", { name: "Cards" }).click();
  await expect.poll(() => asked).toEqual(["confirm"]);
  await owner.evaluate(() => history.back());
  await expect.poll(() => asked).toEqual(["confirm", "confirm"]);
  await owner.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(["confirm", "confirm", "beforeunload"]);
  await expect(owner).toHaveURL(/\/settings\/account$/u);
  await expect(domain).toHaveValue("unsaved.example");

  await owner.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByText("Changes saved")).toBeVisible();
  await main.getByRole("link", { name: "Cards" }).click();
  await owner.waitForURL("**/cards");
  expect(asked).toHaveLength(3);

  await main.getByRole("link", { name: "Account" }).click();
  await domain.fill("lost.example");
  isLeaving = true;
  await owner.evaluate(() => history.back());
  await owner.waitForURL("**/cards");
  expect(asked).toHaveLength(4);
});

test("a program's name and color are on its cards", async ({ owner, account, request }) => {
  const card = await newCard(request, account);
  await owner.goto("/settings/account");
  await owner.getByRole("button", { name: "Edit card design" }).click();
  const dialog = owner.getByRole("dialog", { name: "Card design" });
  await dialog.getByRole("textbox", { name: "Program name" }).fill("Harbor Travel");
  await dialog.getByRole("textbox", { name: "Card color" }).fill("blue");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByText("This field must be a color such as #1b2340")).toBeVisible();
  await dialog.getByRole("radio", { name: "Midnight" }).check();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByText("Changes saved")).toBeVisible();
  const { data } = await callApi(request, account, me);
  expect(data).toMatchObject({
    program_name: "Harbor Travel",
    card_color: "#1b2340",
  });
  await owner.goto(`/cards/${card.id}`);
  await expect(owner.getByText("Harbor Travel")).toBeVisible();
});

test("a change stands in the audit log, old value and new, with the person", async ({ owner }) => {
  await owner.goto("/settings/account");
  await owner.getByRole("textbox", { name: "Domain" }).fill("new.example");
  await owner.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByText("Changes saved")).toBeVisible();
  await owner.goto("/settings/audit-log");
  const line = owner
    .getByRole("list", { name: "Changes" })
    .getByRole("listitem")
    .filter({ hasText: "Ada Winter changed the domain from northwind.example to new.example" });
  await line.getByLabel("Details").click();
  await expect(line).toContainText("integrator.updated");
  await owner.goto("/settings/audit-log?action=card.melted");
  await expect(
    owner.getByText("Not applied, because the value isn't valid: action."),
  ).toBeVisible();
});
