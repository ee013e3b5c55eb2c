import type { Browser, Page } from "@playwright/test";
import { expect, signIn, toPageHeaders } from "./fixtures.ts";
import type { Credentials } from "./fixtures.ts";
import { pick } from "./dialogs.ts";
import type { Role } from "#lib/access/roles.ts";

/** The password of everyone who joins. */
export const PASSWORD = "a password of my own";

/** Adds a person to the account of the signed-in owner, without a page. */
export async function invite({ request }: Page, role: Role): Promise<Credentials> {
  const email = `${crypto.randomUUID()}@northwind.example`;
  const invited = await request.post("/api/staff/invitations", {
    headers: await toPageHeaders(request),
    data: { email, role },
  });
  const { link } = await invited.json();
  const token = new URL(link).hash.slice(1);
  const accepted = await request.post("/api/staff/links/accept", {
    data: { token, first_name: "Vera", last_name: "Lund", password: PASSWORD },
  });
  expect(accepted.status(), await accepted.text()).toBe(201);
  return { email, password: PASSWORD };
}

/** Adds a person as `invite` does. @returns a page of another browser, in which they are signed in and nothing is loaded yet. */
export async function join(owner: Page, browser: Browser, role: Role): Promise<Page> {
  const page = await (await browser.newContext({ hasTouch: true })).newPage();
  await signIn(page.request, await invite(owner, role));
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
