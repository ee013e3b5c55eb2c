import type { Page } from "@playwright/test";
import { callApi, expect, newCard, register, signIn, test, topUp, valueOf } from "./fixtures.ts";
import { failCredit } from "./failed-credit.ts";
import { hurry } from "./hurry.ts";
import { pick } from "./dialogs.ts";

const LIST = "/developers/api-log";

function rows(page: Page) {
  return page.getByRole("table", { name: "Requests" }).getByRole("row");
}

test("a failed call is understood within two clicks, and sent again once its cause is gone", async ({
  owner: page,
  account,
}) => {
  await failCredit(page, account);
  await page.goto("/overview");
  await page.getByRole("navigation").getByRole("link", { name: "API log" }).click();
  await page.getByRole("link", { name: "PATCH /api/cards/credit/balance" }).click();
  await expect(page.getByRole("link", { name: "insufficient_float" })).toHaveAttribute(
    "href",
    "/docs/errors#insufficient_float",
  );
  await expect(page.getByText(/^Needs \$20\.00/u)).toBeVisible();
  await expect(page.getByRole("region", { name: "Request body" })).toContainText('"amount": 2000');
  await expect(page.getByRole("region", { name: "curl" })).toContainText("curl -X PATCH");
  await expect(valueOf(page, "Operation")).toHaveText("creditCard");

  await topUp(page.request, account, 100_000);
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog.getByRole("region", { name: "First response", exact: true })).toContainText(
    "insufficient_float",
  );
  await expect(dialog.getByRole("region", { name: "New response", exact: true })).toContainText(
    '"balance": 2000',
  );
  await dialog.getByRole("link", { name: "View new request" }).click();
  const related = page.getByRole("list", { name: "Related" });
  await expect(related.getByRole("link", { name: "Credit", exact: true })).toBeVisible();
  await expect(related).toContainText("card.credited");
});

test("with the same key, the first response is repeated, and the new row leads to the first", async ({
  owner: page,
  account,
}) => {
  await failCredit(page, account);
  await topUp(page.request, account, 100_000);
  await page.goto(`${LIST}?status=4xx`);
  await page.getByRole("link", { name: "PATCH /api/cards/credit/balance" }).click();
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await pick(dialog, /Idempotency key/u, /^The same key/u);
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog.getByRole("region", { name: "New response", exact: true })).toContainText(
    "insufficient_float",
  );
  await dialog.getByRole("link", { name: "View new request" }).click();
  await expect(valueOf(page, "Repeats")).toHaveText("First request");
});

test("what was not kept is asked for before a request is sent again", async ({
  owner: page,
  account,
}) => {
  const { id } = await newCard(page.request, account);
  await callApi(page.request, account, {
    path: `/cards/${id}/freeze`,
    body: { reason: "lost", comment: "Left in a taxi by Lin" },
  });
  await page.goto(`${LIST}?operation=freezeCard`);
  await page.getByRole("link", { name: `PATCH /api/cards/${id}/freeze` }).click();
  await expect(page.getByRole("region", { name: "Request body" })).toContainText("[redacted]");
  await expect(page.getByText("Left in a taxi")).toHaveCount(0);
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/The same key isn't possible/u)).toBeVisible();
  await dialog.getByLabel("comment").fill("Found in a taxi");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog.getByRole("region", { name: "New response", exact: true })).toContainText(
    "Left in a taxi by Lin",
  );
});

test("a number that is not whole is named, asked for, and sent again", async ({
  owner: page,
  account,
  request,
}) => {
  const { id } = await newCard(request, account, { float: 100_000 });
  await request.patch("/api/cards/credit/balance", {
    headers: { Authorization: `Bearer ${account.apiKey}` },
    data: { card_id: id, amount: 20.5 },
  });
  await page.goto(`${LIST}?operation=creditCard`);
  await page.getByRole("link", { name: "PATCH /api/cards/credit/balance" }).click();
  await expect(page.getByText("see amount.").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Request body" })).toContainText(id);
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("amount").fill("2050");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog.getByRole("region", { name: "New response", exact: true })).toContainText(
    '"balance": 2050',
  );
});

test("a request is in the list within two seconds after it ended, unless the list is paused", async ({
  owner: page,
  account,
}) => {
  await page.goto(LIST);
  await callApi(page.request, account, { method: "GET", path: "/cards" });
  const ended = Date.now();
  await expect(page.getByRole("link", { name: "GET /api/cards", exact: true })).toBeVisible({
    timeout: 20_000,
  });
  test.info().annotations.push({ type: "visible after", description: `${Date.now() - ended} ms` });
  await page.getByRole("link", { name: "Paused" }).click();
  await expect(page).toHaveURL(/live=off/u);
  await expect(page.getByRole("link", { name: "Paused" })).toHaveAttribute("aria-current", "true");
});

test("the list is narrowed by its filters, which are in the address", async ({
  owner: page,
  account,
}) => {
  const cardId = await failCredit(page, account);
  await page.goto(LIST);
  // The head, and the four requests of the card and its credit.
  await expect(rows(page)).toHaveCount(4);
  await chooseCredits(page);
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/operation=creditCard/u);
  await page.goto(`${LIST}?card_id=${cardId}&status=2xx`);
  await expect(page.getByText("No requests found")).toBeVisible();
  await page.goto(`${LIST}?code=insufficient_float&api_version=0.5.0`);
  await expect(rows(page)).toHaveCount(2);
  await page.goto(`${LIST}?code=nonsense`);
  await expect(page.getByText("Not applied, because the value isn't valid: code.")).toBeVisible();
});

test("on a phone the list comes first, and a dialog has its filters", async ({
  owner: page,
  account,
}) => {
  await failCredit(page, account);
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(LIST);
  await expect(rows(page).nth(1)).toBeInViewport();
  await chooseCredits(page);
  await expect(rows(page)).toHaveCount(2);
});

async function chooseCredits(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Filter requests" });
  await pick(dialog, /Operation/u, "creditCard");
  await dialog.getByRole("button", { name: "Show requests" }).click();
}

test("health counts errors by code, and leads to what to do and to the requests", async ({
  owner: page,
  account,
}) => {
  await failCredit(page, account);
  await hurry(page);
  await page.goto(`${LIST}/health`);
  const errors = page.getByRole("table", { name: "Errors" });
  await expect(errors.getByRole("row", { name: /insufficient_float/u })).toContainText(
    "creditCard",
  );
  await expect(
    page.getByRole("table", { name: "Operations" }).getByRole("row", { name: /^creditCard/u }),
  ).toContainText("100%");
  await errors.getByRole("link", { name: "insufficient_float" }).click();
  await expect(rows(page)).toHaveCount(2);
});

test("a refused attempt on a card's timeline leads to its request; another account finds nothing", async ({
  owner: page,
  account,
  browser,
  baseURL,
}) => {
  const cardId = await failCredit(page, account);
  await hurry(page);
  await page.goto(`/cards/${cardId}`);
  await page.getByRole("link", { name: "View request" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "PATCH /api/cards/credit/balance",
  );
  const requestId = page.url();
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const theirs = await context.newPage();
  await signIn(theirs.request, await register(theirs.request));
  expect((await theirs.goto(requestId))?.status()).toBe(404);
  await context.close();
});

test("works without JavaScript where it shows data", async ({
  browser,
  baseURL,
  owner,
  account,
}) => {
  await failCredit(owner, account);
  const storageState = await owner.context().storageState();
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    javaScriptEnabled: false,
    storageState,
  });
  const page = await context.newPage();
  await expect(async () => {
    await page.goto(LIST);
    await page
      .getByRole("link", { name: "PATCH /api/cards/credit/balance" })
      .click({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("region", { name: "Response body" })).toContainText(
    "insufficient_float",
  );
  await context.close();
});
