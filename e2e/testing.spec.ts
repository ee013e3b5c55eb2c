import { writeTestingClient } from "../bin/testing-client.ts";
import { startFloatdeck } from "../testing/index.js";
import type { RunningFloatdeck } from "../testing/index.js";
import { comeToLife, expect, fillSignIn, test } from "./fixtures.ts";

/** The suite of an integrator, with a server of its own beside the one of these tests. */
let floatdeck: RunningFloatdeck;

// One after another, because they share a server.
test.describe.configure({ mode: "default" });

test.beforeAll(async () => {
  await writeTestingClient();
  floatdeck = await startFloatdeck({ pages: true });
});

test.afterAll(() => floatdeck.stop());

test("a suite of an integrator signs in to the dashboard of its own server", async ({
  browser,
}) => {
  const account = await floatdeck.newAccount({ float: 123_400 });
  const page = await browser.newPage({ baseURL: floatdeck.baseUrl });
  await fillSignIn(page, account);
  await expect(page.getByText("$1,234.00").first()).toBeVisible();
});

test("a suite of an integrator creates a key that may only read", async () => {
  const { client, newCard, newKey } = await floatdeck.newAccount();
  const card = await newCard();
  const apiKey = await newKey({ scopes: ["cards:read"] });
  const headers = { authorization: `Bearer ${apiKey}` };
  const path = `${floatdeck.baseUrl}/api/cards/${card.id}`;
  expect((await fetch(path, { headers })).status).toBe(200);
  expect((await fetch(`${path}/freeze`, { method: "PATCH", headers })).status).toBe(403);
  expect((await client.cards.get(card.id)).status).toBe("active");
});

test("a suite of an integrator reads the mail of its own server", async ({ browser }) => {
  const account = await floatdeck.newAccount();
  const page = await browser.newPage({ baseURL: floatdeck.baseUrl });
  await page.goto("/forgot-password");
  await comeToLife(page);
  await page.getByRole("textbox", { name: /^Email/u }).fill(account.email);
  await page.getByRole("button", { name: "Send link" }).click();
  const mail = await account.lastMail(account.email);
  expect(mail).toMatchObject({ to: account.email, subject: "Choose a new password" });
  expect(mail.text).toContain(mail.link);
  expect(mail.html).toContain("<!doctype html>");
  await page.goto(mail.link);
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
});
