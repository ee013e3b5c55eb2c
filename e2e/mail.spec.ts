import type { Browser, Page } from "@playwright/test";
import { comeToLife, expect, fillSignIn, test } from "./fixtures.ts";
import { pick } from "./dialogs.ts";
import { PASSWORD } from "./join.ts";

/** Mail of a sandbox without a mail server, followed from its outbox. */

/** Opens the newest message with this subject in the outbox, and its button in another browser. */
async function follow(
  owner: Page,
  browser: Browser,
  { subject, to, action }: Record<"subject" | "to" | "action", string>,
): Promise<Page> {
  await owner.goto("/settings/outbox");
  const row = owner.getByRole("row").filter({ hasText: to }).filter({ hasText: subject }).first();
  await expect(row).toContainText("Not sent");
  await row.getByRole("link").click();
  await expect(owner.getByRole("heading", { name: subject, level: 1 })).toBeVisible();
  await comeToLife(owner);
  const href = await owner.getByRole("link", { name: action, exact: true }).getAttribute("href");
  const page = await (await browser.newContext()).newPage();
  await page.goto(href ?? "");
  await comeToLife(page);
  return page;
}

test("an invitation is followed from the outbox, which only owners see", async ({
  owner,
  browser,
}) => {
  const to = `${crypto.randomUUID()}@northwind.example`;
  await owner.goto("/settings/staff");
  await owner.getByRole("button", { name: "Invite" }).click();
  const dialog = owner.getByRole("dialog", { name: "Invite a staff member" });
  await dialog.getByRole("textbox", { name: /^Email/u }).fill(to);
  await pick(dialog, /Role/u, /^Admin/u);
  await dialog.getByRole("button", { name: "Create link" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  const guest = await follow(owner, browser, {
    subject: "Join Northwind on Floatdeck",
    to,
    action: "Accept the invitation",
  });
  await guest.getByRole("textbox", { name: /^First name/u }).fill("Vera");
  await guest.getByRole("textbox", { name: /^Last name/u }).fill("Lund");
  await guest.getByLabel("Password").fill(PASSWORD);
  await guest.getByRole("button", { name: "Join" }).click();
  await guest.waitForURL("**/overview");
  const seen = owner.url();
  await guest.goto("/settings/outbox");
  await expect(guest.getByText("No messages yet")).toBeVisible();
  await guest.goto(seen);
  await expect(guest.getByText("We couldn't find that message.")).toBeVisible();
});

test("a forgotten password is replaced with the link that is mailed", async ({
  owner,
  account,
  browser,
}) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto("/sign-in");
  await comeToLife(page);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.waitForURL("**/forgot-password*");
  await comeToLife(page);
  for (const email of [`${crypto.randomUUID()}@nobody.example`, account.email]) {
    await page.reload();
    await comeToLife(page);
    await page.getByRole("textbox", { name: /^Email/u }).fill(email);
    await page.getByRole("button", { name: "Send link" }).click();
    await expect(page.getByText(`If somebody signs in with ${email}`)).toBeVisible();
  }
  const reset = await follow(owner, browser, {
    subject: "Choose a new password",
    to: account.email,
    action: "Choose a new password",
  });
  await reset.getByLabel("New password").fill(PASSWORD);
  await reset.getByRole("button", { name: "Set new password" }).click();
  await reset.waitForURL("**/sign-in?email=*");
  await fillSignIn(reset, { ...account, password: PASSWORD });
  await expect(reset).toHaveURL(/\/overview/u);
});
