import { TOTP } from "otpauth";
import { comeToLife, expect, test } from "./fixtures.ts";

const PASSWORD = "a password of my own";

test("a second factor is set up, asked for at the next sign-in, and a recovery code stands in", async ({
  owner,
  account,
  browser,
}) => {
  await owner.goto("/settings/security");
  await owner.getByRole("button", { name: "Set up" }).click();
  const dialog = owner.getByRole("dialog", { name: "Set up two-factor authentication" });
  const secret = await dialog.getByRole("note", { name: "Secret" }).innerText();
  await dialog.getByRole("textbox", { name: "Code" }).fill("000000");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByText(/Incorrect code/u)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Code" }).fill(new TOTP({ secret }).generate());
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const codes = await dialog.getByRole("note", { name: "Recovery codes" }).innerText();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(owner.getByText("On: you sign in with your password and a code")).toBeVisible();

  const page = await (await browser.newContext()).newPage();
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("Authentication code").fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "We couldn't sign you in." }),
  ).toBeVisible();
  await page.getByLabel("Authentication code").fill(codes.split(" ")[0] ?? "");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/overview");
});

test("setting up a second factor can be canceled, and begun again", async ({ owner }) => {
  await owner.goto("/settings/security");
  const dialog = owner.getByRole("dialog", { name: "Set up two-factor authentication" });
  for (const end of ["Cancel", "Close"]) {
    await owner.getByRole("button", { name: "Set up" }).click();
    await expect(dialog.getByRole("note", { name: "Secret" })).toBeVisible();
    await dialog.getByRole("button", { name: end }).click();
    await expect(dialog).toBeHidden();
  }
});

test("a sandbox account is opened on the screen; its key is shown once, and one can sign out", async ({
  page,
  request,
}) => {
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Create a sandbox account" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("This field must not be empty.").first()).toBeVisible();
  for (const [label, value] of Object.entries({
    Company: "Quay & Co",
    "First name": "Ada",
    "Last name": "Winter",
    Email: `${crypto.randomUUID()}@quay.example`,
  })) {
    await page.getByRole("textbox", { name: new RegExp(`^${label}`, "u") }).fill(value);
  }
  await page.getByRole("combobox", { name: /^Country/u }).selectOption("Ghana");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  const key = await page.getByRole("note", { name: "API key" }).innerText();
  const answer = await request.get("/api/card-integrators/me", {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect((await answer.json()).data).toMatchObject({
    business_name: "Quay & Co",
    country: "GH",
    registration_number: "",
  });
  await page.getByRole("button", { name: "Go to the dashboard" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(page.getByText("No card spending in the last 30 days.")).toBeVisible();
  await expect(page.getByText("Top up the float")).toBeVisible();
  await comeToLife(page);
  await page.getByRole("button", { name: /^Ada Winter/u }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await page.goto("/overview");
  await expect(page).toHaveURL(/\/sign-in/u);
});

test("after signing in one is where one wanted to go, and never on another site", async ({
  page,
  account,
}) => {
  for (const [callbackUrl, path] of [
    ["/settings/staff", "/settings/staff"],
    ["https://elsewhere.example/x", "/overview"],
    ["//elsewhere.example/x", "/overview"],
  ] as const) {
    await page.context().clearCookies();
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(callbackUrl)}`);
    await page.getByLabel("Email").fill(account.email);
    await page.getByLabel("Password").fill(account.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`**${path}`);
    expect(new URL(page.url()).host).toBe("127.0.0.1:" + new URL(page.url()).port);
  }
});
