import type { Page } from "@playwright/test";
import {
  comeToLife,
  expect,
  newCard,
  readCard,
  fillSignIn,
  test,
  toPageHeaders,
} from "./fixtures.ts";
import { fillInvitation, join, PASSWORD } from "./join.ts";
import { pick } from "./dialogs.ts";
import { pressDisabled } from "./press-disabled.ts";

test("an invitation that is accepted although the sign-in fails says what to do", async ({
  owner,
  browser,
}) => {
  const page = await fillInvitation(owner, browser, /^Viewer/u);
  await page.route("**/api/auth/callback/credentials*", (route) => route.abort("connectionreset"));
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page.getByRole("heading", { name: "You've joined Northwind" })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL("**/sign-in?email=*");
  await comeToLife(page);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/overview");
});

/** A disabled control gives its reason on hover, on focus, on touch, and in the palette. */
async function expectReasons(viewer: Page): Promise<void> {
  const freeze = viewer.getByRole("button", {
    name: /^Freeze: Only owners, admins, and operators/u,
  });
  const reason = viewer.getByRole("tooltip");
  await viewer.mouse.move(0, 0);
  await expect(reason).toHaveCount(0);
  await freeze.hover();
  await expect(reason).toContainText("Only owners, admins, and operators");
  await viewer.mouse.move(0, 0);
  await expect(reason).toHaveCount(0);
  // Press a key first, so that the focus counts as keyboard focus.
  await viewer.keyboard.press("Escape");
  await freeze.focus();
  await expect(reason).toContainText("Only owners, admins, and operators");
  await viewer.keyboard.press("Escape");
  await expect(reason).toHaveCount(0);
  await freeze.tap({ force: true });
  await expect(reason).toContainText("Only owners, admins, and operators");
  await viewer.getByRole("heading", { level: 1 }).click();
  await expect(reason).toHaveCount(0);

  await viewer.keyboard.press("Control+k");
  const palette = viewer.getByRole("dialog", { name: "Search" });
  await palette.getByRole("searchbox").fill("Lin Osei");
  const option = palette.getByRole("option", { name: /^Freeze Lin Osei/u });
  await expect(option).toContainText("Only owners, admins, and operators");
  await option.click();
  await expect(palette).toBeVisible();
  await palette.getByRole("searchbox").fill("");
  await viewer.keyboard.press("Escape");
  await expect(palette).toBeHidden();
}

test("a viewer sees everything and can change nothing, each control saying why", async ({
  owner,
  account,
  request,
  browser,
}) => {
  const card = await newCard(request, account, { float: 10_000, balance: 100 });
  const viewer = await fillInvitation(owner, browser, /^Viewer/u);
  await viewer.getByRole("button", { name: "Join" }).click();
  await viewer.waitForURL("**/overview");
  await viewer.goto(`/cards/${card.id}`);
  for (const act of ["Freeze", "Credit", "Debit", "Withdraw all", "Close card"]) {
    const button = viewer.getByRole("button", {
      name: new RegExp(`^${act}: Only owners, admins, and operators can do this`, "u"),
    });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await pressDisabled(button);
    await expect(viewer.getByRole("dialog")).toHaveCount(0);
  }
  await expectReasons(viewer);
  await viewer.goto(`/cardholders/${card.userId}`);
  for (const act of ["Create card", "Edit", "Archive"]) {
    const button = viewer.getByRole("button", {
      name: new RegExp(`^${act}: Only owners, admins, and operators can do this`, "u"),
    });
    await expect(button).toHaveAttribute("aria-disabled", "true");
  }
  await viewer.goto("/float");
  await expect(
    viewer.getByRole("button", { name: /^Top up: Only owners, admins, and operators/u }),
  ).toBeVisible();
  await viewer.goto("/settings/account");
  await expect(viewer.getByRole("textbox", { name: "Domain" })).toBeDisabled();
  await expect(
    viewer.getByRole("button", { name: /^Edit time zone: Only owners and admins/u }),
  ).toHaveAttribute("aria-disabled", "true");
  await viewer.goto("/settings/staff");
  await expect(
    viewer.getByRole("button", { name: /^Invite: Only owners and admins/u }),
  ).toBeVisible();
  await expect(viewer.getByText("Only owners and admins can do this.")).toBeVisible();
  await expect(viewer.getByText(account.email)).toHaveCount(0);
  await viewer.goto("/developers/api-keys");
  await expect(
    viewer.getByRole("button", { name: /^Create key: Only owners and admins/u }),
  ).toBeVisible();
  await expect(viewer.getByText("Only owners and admins can do this.")).toBeVisible();
  await expect(viewer.getByText(/^fd_test_/u)).toHaveCount(0);
  // Compare with the API.
  const headers = await toPageHeaders(viewer.request);
  for (const path of ["/api/staff", "/api/api-keys"]) {
    expect((await viewer.request.get(path, { headers })).status()).toBe(403);
  }
  const credit = await viewer.request.patch("/api/cards/credit/balance", {
    headers,
    data: { card_id: card.id, amount: 100 },
  });
  expect(credit.status()).toBe(403);
  expect(await credit.json()).toMatchObject({ code: "scope_missing" });
  const untouched = await readCard(request, account, card.id);
  expect(untouched).toMatchObject({ status: "active", balance: 100 });
});

test("a changed role signs the person out at once; a removed one stays out", async ({
  owner,
  browser,
}) => {
  const operator = await join(owner, browser, "operator");
  await owner.goto("/settings/staff");
  // No row leads to a record, so Tab goes from row to row, and the arrow keys open a row's menu.
  const actions = owner.getByRole("button", { name: /^Actions for/u });
  await actions.first().focus();
  await owner.keyboard.press("Tab");
  await expect(actions.last()).toBeFocused();
  await owner.keyboard.press("ArrowDown");
  await expect(owner.getByRole("menuitem", { name: "Change role" })).toBeFocused();
  await owner.keyboard.press("Escape");
  await owner.getByRole("button", { name: "Actions for Vera Lund" }).click();
  await owner.getByRole("menuitem", { name: "Change role" }).click();
  const dialog = owner.getByRole("dialog", { name: "Change role of Vera Lund" });
  await pick(dialog, /Role/u, "Viewer");
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(owner.getByRole("row", { name: /^Vera Lund/u })).toContainText(/viewer/iu);
  await operator.goto("/cards");
  await expect(operator).toHaveURL(/\/sign-in/u);

  await owner.getByRole("button", { name: "Actions for Vera Lund" }).click();
  await owner.getByRole("menuitem", { name: "Remove" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(owner.getByRole("row", { name: /^Vera Lund/u })).toHaveCount(0);
});

test("whoever is removed is shown with the API keys that they created, which are revoked too", async ({
  owner,
  browser,
}) => {
  const admin = await join(owner, browser, "admin");
  const made = await admin.request.post("/api/api-keys", {
    headers: await toPageHeaders(admin.request),
    data: { name: "Nightly report", scopes: ["cards:read"] },
  });
  const { api_key: key } = await made.json();
  await owner.goto("/settings/staff");
  await owner.getByRole("button", { name: "Actions for Vera Lund" }).click();
  await owner.getByRole("menuitem", { name: "Remove" }).click();
  const dialog = owner.getByRole("dialog", { name: "Remove Vera Lund" });
  await expect(dialog.getByText("API keys that work: Nightly report.")).toBeVisible();
  await expect(dialog.getByRole("checkbox", { name: "Revoke these keys too" })).toBeChecked();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(owner.getByRole("row", { name: /^Vera Lund/u })).toHaveCount(0);
  const headers = { Authorization: `Bearer ${key}` };
  expect((await owner.request.get("/api/cards", { headers })).status()).toBe(401);
});

/** Answers the first of these requests as the server does five minutes after the sign-in. */
async function refuseOnce(page: Page, url: string): Promise<void> {
  await page.route(
    url,
    (route) =>
      route.fulfill({
        status: 403,
        contentType: "application/problem+json",
        body: JSON.stringify({
          code: "fresh_sign_in_required",
          status: 403,
          detail: "",
          title: "",
        }),
      }),
    { times: 1 },
  );
}

test("what needs a fresh sign-in asks for the password, and goes on where it was", async ({
  owner,
  account,
}) => {
  await refuseOnce(owner, "**/api/api-keys");
  await owner.goto("/developers/api-keys");
  await owner.getByRole("button", { name: "Create key" }).click();
  const dialog = owner.getByRole("dialog", { name: "Create API key" });
  await dialog.getByRole("textbox", { name: /^Name/u }).fill("Nightly job");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const confirm = owner.getByRole("dialog", { name: "Confirm your identity" });
  await expect(owner.getByRole("dialog")).toHaveCount(1);
  await confirm.getByLabel("Password").fill("wrong");
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await expect(confirm.getByText(/Incorrect password/u)).toBeVisible();
  await confirm.getByLabel("Password").fill(account.password);
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await expect(owner.getByRole("note", { name: "API key" })).toBeVisible();
});

test("what needs a fresh sign-in and has no dialog of its own asks for the password too", async ({
  owner,
  account,
}) => {
  const headers = await toPageHeaders(owner.request);
  const data = { email: "noor@northwind.example", role: "viewer" };
  await owner.request.post("/api/staff/invitations", { headers, data });
  await refuseOnce(owner, "**/api/staff/invitations/*");
  await owner.goto("/settings/staff");
  await owner.getByRole("button", { name: "Revoke" }).click();
  const confirm = owner.getByRole("dialog", { name: "Confirm your identity" });
  await confirm.getByLabel("Password").fill(account.password);
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await expect(owner.getByText("Invitation revoked")).toBeVisible();
  await expect(owner.getByRole("table", { name: "Pending invitations" })).toHaveCount(0);
});

test("a password is reset by a one-time link", async ({ owner, browser }) => {
  const operator = await join(owner, browser, "operator");
  await owner.goto("/settings/staff");
  await owner.getByRole("button", { name: "Actions for Vera Lund" }).click();
  await owner.getByRole("menuitem", { name: "Create password reset link" }).click();
  const dialog = owner.getByRole("dialog", { name: "Password reset link" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByRole("note", { name: "Password reset link" }).innerText();
  await operator.context().clearCookies();
  await operator.goto(link);
  await operator.getByLabel("New password").fill("another password yet");
  await operator.getByRole("button", { name: "Set new password" }).click();
  await operator.waitForURL("**/sign-in**");
  const email = await operator.getByLabel("Email").inputValue();
  await fillSignIn(operator, { email, password: "another password yet" });
  await operator.goto(link);
  await expect(operator.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});
