import { callApi, expect, newCard, readCard, selectAll, test, valueOf } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";
import { openFreeze, typeCredit, pick } from "./dialogs.ts";
import type { APIRequestContext, Page } from "@playwright/test";

/** How soon a page says that it is offline, or no longer. */
const WITHIN_MS = 2_000;

/** Collects the page's requests that could change something, as the browser sends them. */
function watchChanges(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") {
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    }
  });
  return sent;
}

/** Reconnects, and waits until the page has reached the server again. A held-back request would have been sent by then. */
async function reconnect(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await page.evaluate(async () => {
    await fetch("/api/health/live");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  });
}

/** Opens a new card and leaves it open; the page's clock stands still until the test moves it. */
async function leaveOpen(page: Page, account: Account, request: APIRequestContext) {
  const card = await newCard(request, account);
  await page.clock.install();
  await page.goto(`/cards/${card.id}`);
  await expect(valueOf(page, "Balance")).toHaveText("$0.00");
  return card;
}

test("a credit that was tried offline and canceled is never sent", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog } = await typeCredit(owner, account, request);
  const sent = watchChanges(owner);
  await owner.context().setOffline(true);
  await dialog.getByRole("button", { name: "Credit $5.00" }).click();
  await expect(dialog.getByRole("alert")).toContainText("You're offline");
  await expect(dialog.getByRole("button", { name: "Credit $5.00" })).toBeEnabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();

  sent.length = 0;
  await reconnect(owner);
  expect(sent).toEqual([]);
  const float = await callApi(request, account, { method: "GET", path: "/card-integrators/float" });
  expect(float.balance).toBe(10_000);
  expect((await readCard(request, account, card.id)).balance).toBe(0);
});

test("what failed offline is done once by trying again after reconnecting", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog } = await typeCredit(owner, account, request);
  await owner.context().setOffline(true);
  await dialog.getByRole("button", { name: "Credit $5.00" }).click();
  await expect(dialog.getByRole("alert")).toContainText("You're offline");
  await owner.context().setOffline(false);
  await dialog.getByRole("button", { name: "Credit $5.00" }).click();
  await expect(valueOf(owner, "Balance")).toHaveText("$5.00");
  expect((await readCard(request, account, card.id)).balance).toBe(500);
});

test("a freeze offline fails at once; the page never says that the card is frozen", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog } = await openFreeze(owner, account, request);
  await expect(dialog).toBeVisible();
  await owner.context().setOffline(true);
  await dialog.getByRole("button", { name: "Freeze card" }).click();
  await expect(dialog.getByRole("alert")).toContainText("You're offline");
  // Include the page behind the dialog: it is visible, although hidden from assistive technology.
  const status = owner.locator("[aria-live=polite]").filter({ hasText: /^(Active|Frozen)$/u });
  await expect(status).toHaveText("Active");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(owner.getByRole("button", { name: "Freeze", exact: true })).toBeVisible();

  const sent = watchChanges(owner);
  await reconnect(owner);
  expect(sent).toEqual([]);
  expect((await readCard(request, account, card.id)).status).toBe("active");
});

test("the page says frozen only once the server has said so", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await owner.route("**/freeze", async (route) => {
    arrived.resolve();
    await released.promise;
    await route.continue();
  });
  await owner.goto(`/cards/${card.id}?act=freeze`);
  const dialog = owner.getByRole("dialog", { name: /^Freeze .+ •••• /u });
  await dialog.getByRole("button", { name: "Freeze card" }).click();
  await arrived.promise;
  const status = owner.locator("[aria-live=polite]").filter({ hasText: /^(Active|Frozen)$/u });
  await expect(status).toHaveText("Active");
  released.resolve();
  await expect(status).toHaveText("Frozen");
});

test("a credit canceled before its answer came is not sent again, and the page says that it may have been done", async ({
  owner,
  account,
  request,
}) => {
  let attempts = 0;
  await owner.route("**/api/cards/credit/balance", async (route) => {
    attempts += 1;
    await route.abort("connectionreset");
  });
  const { dialog } = await typeCredit(owner, account, request);
  await dialog.getByRole("button", { name: "Credit $5.00" }).click();
  await expect.poll(() => attempts).toBe(1);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(owner.getByText("Canceled before the server responded.")).toBeVisible();
  const canceledAt = attempts;
  await reconnect(owner);
  expect(attempts).toBe(canceledAt);
});

test("freezing many cards offline changes nothing, says so, and sends nothing later", async ({
  owner,
  account,
  request,
}) => {
  await newCard(request, account);
  await newCard(request, account);
  await owner.goto("/cards");
  await selectAll(owner, 2);
  await owner.getByRole("button", { name: "Freeze", exact: true }).click();
  const dialog = owner.getByRole("dialog", { name: "Freeze 2 selected cards" });
  await pick(dialog, /Reason/u, "Lost");
  await owner.context().setOffline(true);
  await dialog.getByRole("button", { name: "Freeze 2 cards" }).click();
  await expect(dialog.getByRole("alert")).toContainText("You're offline");
  const sent = watchChanges(owner);
  await reconnect(owner);
  expect(sent).toEqual([]);
  const cards = await callApi(request, account, { method: "GET", path: "/cards" });
  expect(cards.map(({ status }: { status: string }) => status)).toEqual(["active", "active"]);
});

test("a page that is left open offline stays where it is", async ({ owner, account, request }) => {
  const card = await leaveOpen(owner, account, request);
  await owner.context().setOffline(true);
  await owner.clock.runFor(30_000);
  await expect(owner.getByRole("heading", { name: card.name })).toBeVisible();
  await expect(valueOf(owner, "Balance")).toHaveText("$0.00");
});

test("a page says at once that it is offline, and is current as soon as it is back", async ({
  owner,
  account,
  request,
}) => {
  // Its clock stands still, so it waits for nothing.
  const card = await leaveOpen(owner, account, request);
  const notice = owner.getByRole("status").getByText(/^You're offline/u);
  await owner.context().setOffline(true);
  await expect(notice).toBeVisible({ timeout: WITHIN_MS });
  await callApi(request, account, { path: `/cards/${card.id}/freeze` });
  await owner.context().setOffline(false);
  await expect(notice).toBeHidden({ timeout: WITHIN_MS });
  await expect(owner.getByText("Frozen", { exact: true }).first()).toBeVisible();
});

test("a page that is left open while the server cannot be reached stays where it is, and goes on later", async ({
  owner,
  account,
  request,
}) => {
  const card = await leaveOpen(owner, account, request);
  await owner.route("**/*", (route) => route.abort("connectionrefused"));
  await owner.clock.runFor(30_000);
  await expect(owner.getByRole("heading", { name: card.name })).toBeVisible();
  await owner.unroute("**/*");
  await callApi(request, account, { path: `/cards/${card.id}/freeze` });
  await owner.clock.runFor(30_000);
  await expect(owner.getByText("Frozen", { exact: true }).first()).toBeVisible();
});

test("a page that is left open while the database does not respond asks for no other, and goes on later", async ({
  owner,
  account,
  request,
}) => {
  const card = await leaveOpen(owner, account, request);
  let checks = 0;
  await owner.route("**/api/health/ready", (route) => {
    checks += 1;
    return route.fulfill({ status: 503 });
  });
  let refreshes = 0;
  owner.on("request", (sent) => {
    const isPage = sent.headers()["rsc"] !== undefined;
    refreshes += isPage && new URL(sent.url()).pathname === `/cards/${card.id}` ? 1 : 0;
  });
  await owner.clock.runFor(30_000);
  await expect.poll(() => checks).toBeGreaterThan(0);
  expect(refreshes).toBe(0);
  await owner.unroute("**/api/health/ready");
  await callApi(request, account, { path: `/cards/${card.id}/freeze` });
  await owner.clock.runFor(30_000);
  await expect(owner.getByText("Frozen", { exact: true }).first()).toBeVisible();
  expect(refreshes).toBeGreaterThan(0);
});

test("a dialog whose script cannot be fetched says so, and opens once it can", async ({
  owner,
}) => {
  await owner.goto("/float");
  await owner.context().setOffline(true);
  await owner.getByRole("button", { name: "Top up" }).first().click();
  await expect(owner.getByText("Couldn't load this.")).toBeVisible();
  await expect(owner.getByRole("heading", { name: "Float", exact: true })).toBeVisible();
  await owner.context().setOffline(false);
  await owner.getByRole("button", { name: "Try again" }).click();
  await expect(owner.getByRole("dialog", { name: "Top up the float" })).toBeVisible();
});

test("scripts that are fetched later cannot take the page away, and a menu opens once they are there", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  const address = `/cards/${card.id}`;
  const html = await (await owner.request.get(address)).text();
  await owner.route("**/_next/static/chunks/*.js", (route) =>
    html.includes(new URL(route.request().url()).pathname)
      ? route.continue()
      : route.abort("connectionrefused"),
  );
  await owner.goto(address);
  await expect(owner.getByRole("heading", { name: card.name })).toBeVisible();
  await expect(owner.getByRole("button", { name: /^Withdraw/u })).toHaveAttribute("title", /./u);
  const menu = owner.getByRole("button", { name: /Ada Winter/u });
  await menu.click();
  await expect(owner.getByText("Couldn't load this.")).toBeVisible();
  await expect(menu).toBeVisible();
  await owner.unroute("**/_next/static/chunks/*.js");
  await owner.getByRole("button", { name: "Try again" }).click();
  await expect(owner.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
});

test("a search offline says why it finds nothing", async ({ owner }) => {
  await owner.goto("/overview");
  await owner.keyboard.press("Control+k");
  const palette = owner.getByRole("dialog", { name: "Search" });
  await expect(palette).toBeVisible();
  await owner.context().setOffline(true);
  await palette.getByRole("searchbox").fill("Lin");
  await expect(palette.getByRole("alert")).toContainText("You're offline");
});
