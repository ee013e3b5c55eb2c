import type { Page } from "@playwright/test";
import { failCredit } from "./failed-credit.ts";
import { callApi, expect, findEvent, newCard, simulate, test, topUp } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";
import { SIDE_BAR } from "./side-bar.ts";
import { expectAllSound, expectSound } from "./sound.ts";
import {
  findInbox,
  openDelivery,
  received,
  sendTest,
  setWebhookUrl,
  useInbox,
} from "./webhook-account.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { editControls, openMessage, searchDocs, switchOn, toLostSteps } from "./dialogs.ts";

/** Every screen, once in each theme: nothing that axe objects to, and nothing cut off. Only the other `sound-` files run axe on a screen. */

test("every page of the side bar", async ({ owner, account, request }) => {
  await topUp(request, account, 100_000);
  const frozen = await newCard(request, account, { name: "Mei Tanaka", balance: 5_000 });
  await callApi(request, account, { path: `/cards/${frozen.id}/freeze` });
  await owner.goto("/overview");
  // Where it is narrow, the side bar is a menu.
  await expectSound(owner, [["dark", 1_280]]);
  await expectAllSound(owner, SIDE_BAR);
});

test("records, statements, and where nothing is found", async ({ owner, account, request }) => {
  const card = await newCard(request, account, { float: 100_000, balance: 5_000 });
  const event = await findEvent(request, account);
  await request.post("/api/staff/links/forgot-password", { data: { email: account.email } });
  const merchant = { name: "Shop", mcc: "7011", city: null, country: "FR" };
  await simulate(request, account, { cardId: card.id, type: "deduct", amount: 700, merchant });
  await expectAllSound(owner, [
    "/cards?search=nothing",
    `/cards/${card.id}`,
    `/cards/${card.id}/statement`,
    "/float/statement",
    "/insights",
    "/transactions?mcc=7011&country=FR",
    ["/float/statement?quarter=2020-Q1", chooseDates],
    `/cards/${crypto.randomUUID()}`,
    "/no-such-page",
    `/cardholders/${card.userId}`,
    `/developers/events/${event.id}`,
    ["/settings/outbox", openMessage],
    "/docs/api/creditCard",
  ]);
});

test("dialogs that change cards, cardholders, and settings", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 5_000 });
  const closed = await newCard(request, account);
  await callApi(request, account, { method: "POST", path: `/cards/${closed.id}/close` });
  await expectAllSound(owner, [
    `/cards/${card.id}?act=credit`,
    `/cards/${card.id}?act=withdraw`,
    ...(await toLostSteps(account, request)),
    [`/cardholders/${closed.userId}`, eraseCardholder],
    ["/settings/account", switchOn("Edit automatic freeze")],
    ["/settings/account", switchOn("Edit freeze of idle cards")],
    ["/settings/account", editControls("Only what these controls allow")],
    [`/cards/${card.id}`, editControls("Controls of its own")],
  ]);
  // Under the pointer, a button has another color.
  for (const [act, name] of [
    ["freeze", "Freeze card"],
    ["close", "Close card"],
  ] as const) {
    await expectAllSound(owner, [`/cards/${card.id}?act=${act}`]);
    await owner.getByRole("dialog").getByRole("button", { name }).hover();
    await expectSound(owner, [
      ["light", 1_280],
      ["dark", 1_280],
    ]);
  }
});

test("every page without signing in", async ({ page }) => {
  await expectAllSound(page, [
    "/",
    "/sign-in",
    "/sign-up",
    "/forgot-password",
    "/no-such-page",
    "/invitation",
    "/invitation#unknown",
    "/password-reset#unknown",
    "/docs",
    ["/docs", searchDocs],
    "/docs/quick-start",
    "/docs/requests",
    "/docs/webhooks",
    "/docs/errors",
    "/docs/api",
    "/docs/api/listCards",
    "/docs/api/events/card.transaction-declined",
    "/docs/api/nonsense",
  ]);
});

async function chooseDates(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Choose dates" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

async function eraseCardholder(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Erase cardholder" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

test("a list with a record beside it", async ({ owner, account, request }) => {
  const card = await newCard(request, account, { float: 100_000, balance: 5_000 });
  await callApi(request, account, { path: `/cards/${card.id}/freeze`, body: { reason: "lost" } });
  await callApi(request, account, {
    path: "/card-integrators/update",
    body: { webhook_url: "https://hooks.example.com/" },
  });
  await callApi(request, account, { method: "POST", path: "/webhooks/test" });
  const listed = async (path: string) =>
    (await callApi(request, account, { method: "GET", path })).data[0].id;
  for (const path of [
    `/cards?open=${card.id}`,
    `/transactions?open=${await listed("/transactions")}`,
    `/developers/webhooks?open=${await listed("/webhook-deliveries")}`,
  ]) {
    for (const view of [["light", 1_440] as const, ["dark", 375] as const]) {
      await owner.setViewportSize({ width: view[1], height: 812 });
      await owner.goto(path);
      await expect(owner.getByRole("link", { name: "Close", exact: true })).toBeVisible();
      await expectSound(owner, [view]);
    }
  }
});

test("deadlines that were advanced", async ({ owner, account, request }) => {
  const body = { by_seconds: 86_400 };
  await callApi(request, account, { method: "POST", path: "/sandbox/clock/advance", body });
  await owner.goto("/overview");
  await expect(owner.getByText("Sandbox · deadlines 1 day ahead")).toBeVisible();
  await expectSound(owner);
});

test("the API log", async ({ owner: page, account }) => {
  const list = "/developers/api-log";
  await failCredit(page, account);
  await expectAllSound(page, [list, `${list}/health`, `${list}?operation=archiveUser`]);
  await page.goto(`${list}?status=4xx`);
  await page.getByRole("link", { name: "PATCH /api/cards/credit/balance" }).click();
  await expect(page.getByRole("region", { name: "curl" })).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectSound(page);
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog.getByRole("region", { name: "New response", exact: true })).toBeVisible();
  await expectSound(page);
});

test("scenarios, before, during, and after a run", async ({ owner: page }) => {
  const run = () => page.getByRole("button", { name: "Run scenario" }).click();
  await expectAllSound(page, ["/developers/scenarios/freeze-stops-spending"]);
  await run();
  await expect(page.getByText(/^All \d+ steps passed\.$/u)).toBeVisible();
  const declined = page.getByRole("listitem", { name: "Step 8", exact: true });
  await declined.getByText("Request and response 200").click();
  await expectSound(page);
  await page.context().setOffline(true);
  await run();
  await expect(page.getByRole("link", { name: "Show the step" })).toBeVisible();
  await page.mouse.move(0, 0);
  await expectSound(page);
});

test("the test inbox with webhooks", async ({ owner: page, account }) => {
  await useInbox(page);
  await page.request.post(await findInbox(page, account), { data: "x".repeat(500) });
  await expect(received(page)).toHaveCount(3);
  await received(page).first().getByRole("button").first().click();
  await expect(page.getByRole("region", { name: "Body" })).toBeVisible();
  await expectSound(page);
});

test("webhooks of a disabled endpoint, their dialogs, and events", async ({
  owner: page,
  account,
}) => {
  const receiver = await startReceiver();
  try {
    await beRefused(page, account, receiver);
    await openDelivery(page, "webhook.test");
    await expectSound(page);
    await page.goto("/overview");
    const needs = page.getByRole("region", { name: /^Needs you/u });
    await expect(needs.getByText("The webhook endpoint is disabled")).toBeVisible();
    await expectSound(page);
    await page.goto("/developers/events");
    await page.getByRole("list", { name: "Events" }).getByLabel("Details").first().click();
    await expect(page.getByRole("region", { name: "Payload" }).first()).toBeVisible();
    await expectSound(page);
    await page.goto("/developers/webhooks");
    await expectSound(page);
    for (const name of ["Enable", "Rotate", "Reveal"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectSound(page);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
  } finally {
    await receiver.stop();
  }
});

/** The receiver accepts two webhooks and then answers 410, which disables the endpoint. */
async function beRefused(page: Page, account: Account, receiver: Receiver): Promise<void> {
  await setWebhookUrl(page, account, receiver.url);
  await receiver.waitFor(2);
  receiver.behave(answer(410));
  await sendTest(page, account);
  await receiver.waitFor(3);
}
