import { expect, signIn, test } from "./fixtures.ts";
import { invite } from "./join.ts";
import { hurry } from "./hurry.ts";
import { findInbox, panel, received, setWebhookUrl, useInbox } from "./webhook-account.ts";

/** From an account in which nothing has happened yet, signed in, with the mouse alone. */
const FIRST_WEBHOOK_MS = 60_000;

test("the first verified webhook takes a minute and the mouse, and no program", async ({
  owner: page,
}) => {
  const started = Date.now();
  await page.goto("/overview");
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await page.getByRole("button", { name: "Use a test inbox" }).click();
  const first = received(page).filter({ hasText: "webhook.test" });
  await expect(first).toContainText("Verified");
  expect(Date.now() - started).toBeLessThan(FIRST_WEBHOOK_MS);
  await expect(panel(page, "Endpoint")).toContainText("/inbox/");
  await expect(page.getByRole("button", { name: "Use a test inbox" })).toBeHidden();

  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(first).toHaveCount(2);
  await expect(page).toHaveURL(/\/developers\/webhooks$/u);

  await first.first().getByRole("button").first().click();
  await expect(first.getByRole("region", { name: "Headers" })).toContainText("webhook-signature");
  await expect(first.getByRole("region", { name: "Body" })).toContainText("This is a test.");
  await first.getByRole("link", { name: "View delivery" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "webhook.test" })).toBeVisible();
  await expect(page.getByRole("listitem", { name: "Attempt 1" })).toContainText("HTTP 200");
});

test("what is not signed appears by itself and says what is wrong", async ({
  owner: page,
  account,
}) => {
  await hurry(page);
  await useInbox(page);
  const url = await findInbox(page, account);
  const answer = await page.request.post(url, { data: { event: "card.frozen" } });
  expect(answer.status()).toBe(200);
  await expect(received(page).filter({ hasText: "card.frozen" })).toContainText(
    /Not verified.*One of webhook-id, webhook-timestamp, and webhook-signature is missing/u,
  );
});

test("another webhook URL is replaced only once that is confirmed", async ({
  owner: page,
  account,
}) => {
  const own = "http://127.0.0.1:41099/hooks";
  await setWebhookUrl(page, account, own);
  await page.goto("/developers/webhooks");
  await page.getByRole("button", { name: "Use a test inbox" }).click();
  const dialog = page.getByRole("dialog", { name: "Use the test inbox" });
  await expect(dialog).toContainText(own);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(panel(page, "Endpoint")).toContainText(own);
  await page.getByRole("button", { name: "Use a test inbox" }).click();
  await dialog.getByRole("button", { name: "Replace URL" }).click();
  await expect(dialog).toBeHidden();
  await expect(panel(page, "Endpoint")).toContainText("/inbox/");
  await expect(received(page).filter({ hasText: "webhook.test" }).first()).toContainText(
    "Verified",
  );
});

test("the screen shows its data without JavaScript, and tells a viewer why nothing can be changed", async ({
  owner: page,
  account,
  browser,
  baseURL,
}) => {
  const viewer = await invite(page, "viewer");
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const theirs = await context.newPage();
  await signIn(theirs.request, viewer);
  await theirs.goto("/developers/webhooks");
  await expect(
    theirs.getByRole("button", { name: /^Use a test inbox: Only owners/u }),
  ).toHaveAttribute("aria-disabled", "true");

  await useInbox(page);
  const plain = await browser.newContext({
    baseURL: baseURL ?? "",
    javaScriptEnabled: false,
    storageState: await context.storageState(),
  });
  const still = await plain.newPage();
  await still.goto("/developers/webhooks");
  await expect(received(still).filter({ hasText: "webhook.test" })).toContainText("Verified");
  await expect(panel(still, "Test inbox")).toContainText(await findInbox(page, account));
});
