import { callApi, expect, test } from "./fixtures.ts";

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
  await owner.getByRole("textbox", { name: "Webhook URL" }).fill("http://127.0.0.1:9/hooks");
  await owner.getByRole("textbox", { name: "Domain" }).fill("cards.northwind.example");
  await owner.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByText("Changes saved")).toBeVisible();
  expect((await callApi(request, account, me)).data).toMatchObject({
    business_address: "2 Quay Street",
    webhook_url: "http://127.0.0.1:9/hooks",
    domain: "cards.northwind.example",
  });
});

test("a fourth field is refused by the API, which changes nothing", async ({
  request,
  account,
}) => {
  const answer = await request.patch("/api/card-integrators/update", {
    headers: { Authorization: `Bearer ${account.apiKey}` },
    data: { domain: "new.example", email: "new@example.com" },
  });
  expect(answer.status()).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: { email: [expect.any(String)] } });
  expect((await callApi(request, account, me)).data.domain).toBe("northwind.example");
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
    owner.getByText("Not applied, because the value isn’t valid: action."),
  ).toBeVisible();
});
