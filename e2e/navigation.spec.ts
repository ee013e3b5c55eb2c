import type { APIRequestContext, Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { whileCanceled } from "./database.ts";
import { typeCredit } from "./dialogs.ts";
import {
  comeToLife,
  expect,
  newCard,
  readCard,
  register,
  simulate,
  test,
  toPageHeaders,
  valueOf,
} from "./fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";
import type { Account } from "./fixtures.ts";
import { listViolations } from "./sound.ts";

/** Signs in without a browser, by sending the form. */
async function enter(request: APIRequestContext, { email }: Account): Promise<void> {
  const { csrfToken } = await (await request.get("/api/auth/csrf")).json();
  const form = { csrfToken, json: "true", email, password: PASSWORD };
  expect((await request.post("/api/auth/callback/credentials", { form })).status()).toBe(200);
}

/** Waits until the redirect to sign-in is complete, and signs in. */
async function fillSignIn(page: Page, { email, password }: Account): Promise<void> {
  await page.waitForURL("**/sign-in?callbackUrl=*");
  await comeToLife(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("a page comes whole without JavaScript: its data, its title, and what needs JavaScript", async ({
  account,
  request,
}) => {
  const card = await newCard(request, account, { name: "Mei Tanaka" });
  await enter(request, account);
  for (const [path, title, content] of [
    ["/cards", "Cards · Floatdeck", "Mei Tanaka"],
    [`/cards/${card.id}`, `Mei Tanaka •••• ${card.last4} · Cards · Floatdeck`, "Card ID"],
    ["/overview", "Overview · Floatdeck", "Cards by status"],
  ] as const) {
    const page = await request.get(path);
    const html = await page.text();
    expect(page.status()).toBe(200);
    const [head = "", body = ""] = html.split("</head>");
    expect(head).toContain(`<title>${title}</title>`);
    // Ignore scripts: they contain the same text as data.
    const shown = body.replaceAll(/<script.*?<\/script>/gsu, "");
    expect(shown).toContain(content);
    expect(shown).toMatch(/<noscript>.*JavaScript is off\..*<\/noscript>/su);
    expect(shown).not.toContain("skeleton");
    expect(shown).not.toMatch(/<div hidden="" id="S:/u);
  }
  for (const path of ["/sign-in", "/invitation", "/password-reset"]) {
    const html = await (await request.get(path, { headers: { cookie: "" } })).text();
    expect(html).toContain("<noscript>");
    expect(html).not.toContain("skeleton");
  }
});

test("what is not there answers 404, the same for another account's record and for none", async ({
  account,
  request,
}) => {
  await enter(request, account);
  const other = await register(request);
  const theirs = await newCard(request, other, { name: "Mei Tanaka" });
  const bought = await simulate(request, other, { cardId: theirs.id, type: "deduct", amount: 1 });
  const unknown = crypto.randomUUID();
  for (const [path, noun] of [
    [`/cards/${theirs.id}`, "card"],
    [`/cards/${unknown}`, "card"],
    ["/cards/nonsense", "card"],
    [`/cardholders/${theirs.userId}`, "cardholder"],
    [`/cardholders/${unknown}`, "cardholder"],
    [`/transactions/${bought.id}`, "transaction"],
    [`/transactions/${unknown}`, "transaction"],
    ["/transactions/nonsense", "transaction"],
    [`/developers/webhooks/deliveries/${unknown}`, "delivery"],
    ["/nonsense", "page"],
    ["/cards/a/b", "page"],
  ] as const) {
    const page = await request.get(path);
    expect([path, page.status()]).toEqual([path, 404]);
    const html = await page.text();
    expect(html).toContain(`We couldn't find that ${noun}.`);
    expect(html).not.toContain("Tanaka");
  }
  const narrowed = await (await request.get(`/transactions?card_id=${theirs.id}`)).text();
  expect(narrowed).toContain("No transactions found");
  // Without signing in, the response does not reveal whether a record exists. An unknown path is not secret.
  const stranger = { headers: { cookie: "" }, maxRedirects: 0 };
  expect((await request.get(`/cards/${unknown}`, stranger)).status()).toBe(307);
  expect((await request.get("/nonsense", stranger)).status()).toBe(404);
});

test("a deep link survives signing in, with its query, and never leads elsewhere", async ({
  request,
  baseURL,
}) => {
  const visit = async (path: string) => {
    const answer = await request.get(path, { maxRedirects: 0 });
    return [answer.status(), answer.headers()["location"]];
  };
  const card = crypto.randomUUID();
  const target = `/cards/${card}?act=credit&before=1`;
  expect(await visit(target)).toEqual([307, `/sign-in?callbackUrl=${encodeURIComponent(target)}`]);
  expect(await visit("/overview")).toEqual([307, "/sign-in"]);
  expect(await visit(`/cards?search=${"x".repeat(3_000)}`)).toEqual([307, "/sign-in"]);
  const elsewhere = await request.get(`${baseURL}//evil.example/cards`, { maxRedirects: 0 });
  expect(elsewhere.headers()["location"] ?? "/").toMatch(/^\/(?!\/)/u);
  const forgot = await request.get(`/forgot-password?callbackUrl=${encodeURIComponent(target)}`);
  expect(await forgot.text()).toContain(
    `href="/sign-in?callbackUrl=${encodeURIComponent(target)}"`,
  );
  const lured = await request.get("/forgot-password?callbackUrl=//evil.example");
  expect(await lured.text()).not.toMatch(/href="[^"]*evil/u);
});

test("a deep link also survives setting up a required second factor, whose recovery codes stay to be read", async ({
  page,
  account,
  request,
}) => {
  await enter(request, account);
  const changed = await request.patch("/api/staff/second-factor-policy", {
    headers: await toPageHeaders(request),
    data: { required: true },
  });
  expect(changed.status()).toBe(200);
  await page.goto("/cards?status=frozen");
  await fillSignIn(page, account);
  await page.waitForURL("**/second-factor?callbackUrl=*");
  await comeToLife(page);
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  const secret = await page.getByRole("note", { name: "Secret" }).innerText();
  let isEnabled = false;
  const refreshed = page.waitForResponse((response) => {
    isEnabled ||= response.url().endsWith("/second-factor/enable");
    return isEnabled && response.url().includes("/second-factor?");
  });
  await page.getByRole("textbox", { name: "Code" }).fill(new TOTP({ secret }).generate());
  await page.getByRole("button", { name: "Confirm" }).click();
  const codes = page.getByRole("note", { name: "Recovery codes" });
  await expect(codes).toBeVisible();
  // The page asks the server again after each change; from now on the server admits the person.
  await refreshed;
  await expect(codes).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await page.waitForURL("**/cards?status=frozen");
});

test("the way back from a card leads to the list as it was, and skeletons are for navigation alone", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { name: "Mei Tanaka" });
  await newCard(request, account, { name: "Lin Osei" });
  await owner.goto("/cards?search=Mei&status=active");
  const released = Promise.withResolvers<void>();
  await owner.route(`**/cards/${card.id}?*`, async (route) => {
    await released.promise;
    await route.continue();
  });
  await owner.getByRole("link", { name: /Mei Tanaka/u }).click();
  await expect(owner.getByRole("status", { name: "Loading" })).toBeVisible();
  await expect(owner.getByRole("heading", { name: "Cards" })).toBeHidden();
  released.resolve();
  await expect(owner.getByRole("heading", { name: "Mei Tanaka" })).toBeVisible();
  await expect(owner.getByRole("status", { name: "Loading" })).toBeHidden();
  await expect(owner).toHaveTitle(`Mei Tanaka •••• ${card.last4} · Cards · Floatdeck`);
  await owner
    .getByRole("navigation", { name: "Breadcrumb" })
    .getByRole("link", { name: "Cards" })
    .click();
  await owner.waitForURL("**/cards?search=Mei&status=active");
  await expect(owner.getByRole("link", { name: /Mei Tanaka/u })).toBeVisible();
  await expect(owner.getByText("Lin Osei")).toHaveCount(0);
});

test("a page whose data cannot be read says busy inside its frame, and comes by itself", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  const busy = owner.getByText("Busy, trying again");
  await whileCanceled("cards", account.integratorId, async () => {
    const response = await owner.goto(`/cards/${card.id}`);
    expect(response?.status()).toBe(503);
    await expect(busy).toBeVisible();
    await expect(owner.getByRole("navigation", { name: "Main" })).toBeVisible();
    await expect(owner).toHaveTitle(/\S/u);
    expect(await listViolations(owner)).toEqual([]);
  });
  await expect(owner.getByRole("heading", { name: card.name })).toBeVisible();
  await expect(busy).toBeHidden();
});

test("a credit after the session has ended says that nothing changed, and signing in leads back", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog } = await typeCredit(owner, account, request);
  await owner.context().clearCookies();
  await dialog.getByRole("button", { name: "Credit $5.00" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Your session has ended");
  await expect(dialog.getByRole("alert")).toContainText("Nothing was changed.");
  await dialog.getByRole("link", { name: "Sign in" }).click();
  await fillSignIn(owner, account);
  await owner.waitForURL(`**/cards/${card.id}`);
  await expect(valueOf(owner, "Balance")).toHaveText("$0.00");
});

test("a credit whose answer was lost with the session is looked up after signing in, and never sent again", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog } = await typeCredit(owner, account, request);
  let sent = 0;
  await owner.route("**/api/cards/credit/balance", async (route) => {
    sent += 1;
    if (sent > 1) {
      return route.continue();
    }
    // The server performs the change; the response is lost, and the session ends.
    await route.fetch();
    await owner.context().clearCookies();
    return route.abort("connectionreset");
  });
  await dialog.getByRole("button", { name: "Credit $5.00" }).click();
  await expect(dialog.getByRole("alert")).toContainText("It won't be sent again.");
  await dialog.getByRole("link", { name: "Sign in" }).click();
  const sentBefore = sent;
  await fillSignIn(owner, account);
  await owner.waitForURL(`**/cards/${card.id}`);
  await expect(owner.getByText("Your last change went through")).toBeVisible();
  await expect(valueOf(owner, "Balance")).toHaveText("$5.00");
  await owner.getByRole("button", { name: "Close", exact: true }).click();
  await expect(owner.getByText("Your last change went through")).toBeHidden();
  expect(sent).toBe(sentBefore);
  expect((await readCard(request, account, card.id)).balance).toBe(500);
});
