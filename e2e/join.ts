import type { Browser, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { pick } from "./dialogs.ts";

/** The password of everyone who joins. */
export const PASSWORD = "a password of my own";

/** Invites a person from the owner's page and accepts the invitation in another browser context. */
export async function join(owner: Page, browser: Browser, role: RegExp): Promise<Page> {
  const page = await fillInvitation(owner, browser, role);
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL("**/overview");
  return page;
}

/** Invites a person from the owner's page and fills in the form in another browser context. */
export async function fillInvitation(owner: Page, browser: Browser, role: RegExp): Promise<Page> {
  const email = `${crypto.randomUUID()}@northwind.example`;
  await owner.goto("/settings/staff");
  await owner.getByRole("button", { name: "Invite" }).click();
  const dialog = owner.getByRole("dialog", { name: "Invite a staff member" });
  await dialog.getByRole("textbox", { name: /^Email/u }).fill(email);
  await pick(dialog, /Role/u, role);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByRole("note", { name: "Invitation link" }).innerText();
  await dialog.getByRole("button", { name: "Done" }).click();
  const page = await (await browser.newContext({ hasTouch: true })).newPage();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Join Northwind" })).toBeVisible();
  await page.getByRole("textbox", { name: /^First name/u }).fill("Vera");
  await page.getByRole("textbox", { name: /^Last name/u }).fill("Lund");
  await page.getByLabel("Password").fill(PASSWORD);
  return page;
}
