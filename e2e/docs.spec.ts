import type { Page } from "@playwright/test";
import { comeToLife, expect, newCard, readCard, signIn, test } from "./fixtures.ts";
import { measureScripts } from "./measure-scripts.ts";
import { invite } from "./join.ts";

/** The documentation, which the server itself serves. */

const form = (page: Page) => page.getByRole("region", { name: "Try it" });

test("guides and the reference are whole without JavaScript, and can be linked to", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Documentation" }).click();
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Quick start/u })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Quick start" })).toBeVisible();
  await page.goto("/docs/money#retry-safely");
  await expect(page.getByRole("heading", { name: "Retry safely" })).toBeInViewport();
  await page.goto("/docs/api/creditCard");
  await expect(page).toHaveTitle("Move funds from the float to a card · Floatdeck");
  await expect(page.getByText("funds:write")).toBeVisible();
  await expect(page.getByLabel("curl", { exact: true }).last()).toContainText(
    `${baseURL}/api/cards/credit/balance`,
  );
  await page.getByRole("link", { name: "insufficient_float" }).click();
  await expect(
    page.getByRole("heading", { level: 3, name: "insufficient_float" }),
  ).toBeInViewport();
  await context.close();
});

test("an operation that does not exist answers 404", async ({ request }) => {
  for (const path of ["/docs/nonsense", "/docs/api/nonsense", "/docs/api/events/nonsense"]) {
    const answer = await request.get(path);
    expect([path, answer.status()]).toEqual([path, 404]);
    expect(await answer.text()).toContain("We couldn&#x27;t find that page.");
  }
});

test("a guide's operations and error codes lead to their pages", async ({ page }) => {
  await page.goto("/docs/freezes");
  await page.getByRole("link", { name: "PATCH /cards/{id}/freeze" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Freeze a card" })).toBeVisible();
  await page.goto("/docs/freezes");
  await page.getByRole("link", { name: "card_status_changed" }).first().click();
  await page.waitForURL("**/docs/errors#card_status_changed");
});

test("each event has a page, which the list, the guide, and the palette lead to", async ({
  owner,
}) => {
  await owner.goto("/docs/api");
  await owner.getByRole("main").getByRole("link", { name: "card.frozen" }).click();
  await expect(owner.getByRole("heading", { level: 1, name: "card.frozen" })).toBeVisible();
  await expect(owner.getByRole("main")).toContainText("A card was frozen, or a frozen card");
  await expect(owner.getByRole("region", { name: "Notification" })).toContainText(
    '"event": "card.frozen"',
  );
  await expect(owner.getByRole("region", { name: "Data" })).toContainText("status_version");
  await owner.goto("/docs/webhooks");
  await owner.getByRole("main").getByRole("link", { name: "float.low-balance" }).first().click();
  await expect(owner.getByRole("heading", { level: 1, name: "float.low-balance" })).toBeVisible();
  await comeToLife(owner);
  await owner.keyboard.press("Control+k");
  await owner.getByRole("searchbox", { name: "Search" }).fill("card.reverse");
  await owner
    .getByRole("group", { name: "Documentation" })
    .getByRole("option", { name: "card.reverse-transaction" })
    .click();
  await owner.waitForURL("**/docs/api/events/card.reverse-transaction");
  // It is far down in a list of its own.
  const contents = owner.getByRole("complementary", { name: "Contents" });
  await expect(
    contents.getByRole("link", { name: "card.reverse-transaction", exact: true }),
  ).toBeInViewport({ ratio: 1 });
});

test("the palette finds an operation, also from a page of the documentation", async ({ owner }) => {
  for (const from of ["/overview", "/docs/webhooks"]) {
    await owner.goto(from);
    await owner.keyboard.press("Control+k");
    await owner.getByRole("searchbox", { name: "Search" }).fill("unfreeze a card");
    await owner.getByRole("option", { name: "Unfreeze a card" }).click();
    await owner.waitForURL("**/docs/api/unfreezeCard");
    await expect(owner.getByRole("heading", { level: 1, name: "Unfreeze a card" })).toBeVisible();
  }
});

test("anyone searches the documentation by keyboard, and arrives at the heading", async ({
  page,
}) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  const isFetched = () => fetched.includes("/docs/contents.json");
  await page.goto("/docs");
  await comeToLife(page);
  await page.waitForLoadState("networkidle");
  expect(isFetched()).toBe(false);
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Search" });
  await expect(field).toBeFocused();
  await field.fill("verify the webhook signature");
  const first = page.getByRole("option").first();
  await expect(first).toHaveAccessibleName(/^Verify the signature/u);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/webhooks#verify-the-signature");
  await expect(page.getByRole("heading", { name: "Verify the signature" })).toBeInViewport();
  expect(isFetched()).toBe(true);
  await page.keyboard.press("Control+k");
  await field.fill("zyzzyva");
  await expect(page.getByRole("dialog")).toContainText("No results found.");
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(field).toBeHidden();
  await page.getByRole("button", { name: "Search" }).click();
  await expect(field).toBeFocused();
});

test("signed out, Try it says why not, and signing in leads back to the operation", async ({
  page,
  account,
}) => {
  await page.goto("/docs/api/freezeCard");
  await expect(form(page)).toContainText("to a sandbox account to send this request from here.");
  await expect(form(page).getByRole("button")).toHaveCount(0);
  await form(page).getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/docs/api/freezeCard");
});

test("Try it says what it will do and sends once, however often it is pressed", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000 });
  const sent: string[] = [];
  owner.on("request", (each) => {
    if (each.url().endsWith("/api/cards/credit/balance")) {
      sent.push(each.headers()["idempotency-key"] ?? "none");
    }
  });
  await owner.goto("/docs/api/creditCard");
  await form(owner).getByRole("button", { name: "Set up the request" }).click();
  await form(owner)
    .getByRole("textbox", { name: "Body (JSON)" })
    .fill(JSON.stringify({ card_id: card.id, amount: 2_000 }));
  await expect(form(owner)).toContainText("Amount: $20.00.");
  await expect(form(owner)).toContainText("Changes your sandbox account as Ada Winter.");
  await form(owner).getByRole("button", { name: "Send request" }).dblclick({ delay: 150 });
  await expect(form(owner).getByRole("status")).toContainText("Response: 200");
  await expect(form(owner).getByRole("region", { name: "Response headers" })).toContainText(
    /X-Request-Id: \S+/u,
  );
  await expect(form(owner).getByRole("region", { name: "Response body" })).toContainText(
    '"balance": 2000',
  );
  expect(sent).toHaveLength(1);
  await expect(form(owner).getByRole("region", { name: "Request", exact: true })).toContainText(
    `Idempotency-Key: ${sent[0]}`,
  );
  const { balance } = await readCard(request, account, card.id);
  expect(balance).toBe(2_000);
});

test("Try it shows a refusal with the way to its explanation, and refuses a body that is no JSON", async ({
  owner,
}) => {
  await owner.goto("/docs/api/topUpFloat");
  await form(owner).getByRole("button", { name: "Set up the request" }).click();
  const body = form(owner).getByRole("textbox", { name: "Body (JSON)" });
  await body.fill("{amount}");
  await form(owner).getByRole("button", { name: "Send request" }).click();
  await expect(form(owner)).toContainText("The body must be valid JSON.");
  await body.fill('{"amount": 20.5}');
  await form(owner).getByRole("button", { name: "Send request" }).click();
  await expect(form(owner).getByRole("status")).toContainText("Response: 422");
  await form(owner).getByRole("link", { name: "What validation_failed means" }).click();
  await owner.waitForURL("**/docs/errors#validation_failed");
});

test("a viewer reads with Try it, and each operation that they cannot send says why", async ({
  owner,
  account,
  request,
  browser,
  baseURL,
}) => {
  const card = await newCard(request, account);
  const viewer = await invite(owner, "viewer");
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await signIn(page.request, viewer);
  await page.goto("/docs/api/getCard");
  await comeToLife(page);
  await form(page).getByRole("button", { name: "Set up the request" }).click();
  await expect(form(page).getByRole("textbox", { name: "id" })).toHaveValue(card.id);
  await form(page).getByRole("button", { name: "Send request" }).click();
  await expect(form(page).getByRole("status")).toContainText("Response: 200");
  for (const [operation, reason] of [
    ["freezeCard", "Only owners, admins, and operators can do this."],
    ["createAuthorization", "Only the card network's key can call this operation."],
    ["changePassword", "contains a secret"],
    ["registerIntegrator", "no account yet"],
  ] as const) {
    await page.goto(`/docs/api/${operation}`);
    await expect(form(page)).toContainText(reason);
    await expect(form(page).getByRole("button")).toHaveCount(0);
  }
  await context.close();
});

test("the pages of the documentation load at most 250 kB of scripts", async ({ page }) => {
  for (const path of [
    "/docs",
    "/docs/webhooks",
    "/docs/errors",
    "/docs/api",
    "/docs/api/freezeCard",
    "/docs/api/events/card.frozen",
  ]) {
    const bytes = await measureScripts(page, path);
    expect([path, bytes <= 250_000 ? "small" : bytes]).toEqual([path, "small"]);
  }
});
