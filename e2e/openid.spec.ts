import { expect, test } from "@playwright/test";
import type { APIRequestContext, Page } from "@playwright/test";
import { register, fillSignIn, toPageHeaders } from "./fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";
import type { Account } from "./fixtures.ts";
import { startProvider } from "./identity-provider.ts";
import { vouchFor } from "./operator.ts";

let provider: { stop(): Promise<void> };

// One after another, because they share a server.
test.describe.configure({ mode: "default" });

test.beforeAll(async ({ baseURL }) => {
  provider = await startProvider(baseURL ?? "");
});

test.afterAll(() => provider.stop());

/** Starts a sign-in on our page. @returns the authorization URL at the provider. */
async function begin(page: Page): Promise<string> {
  await page.goto("/");
  return page.evaluate(async () => {
    const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, callbackUrl: "/", json: "true" });
    const answer = await fetch("/api/auth/signin/openid", { method: "POST", body });
    return (await answer.json()).url;
  });
}

/** Signs in on the provider's forms, which redirect back to us. */
async function signInThere(page: Page, email: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(email);
  await page.getByPlaceholder("and password").fill("theirs to check");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Whether the API accepts this browser's session. */
async function isSignedIn({ request }: Page): Promise<boolean> {
  const headers = await toPageHeaders(request);
  const answer = await request.get("/api/card-integrators/me", { headers });
  return answer.status() === 200;
}

function newEmail(name: string): string {
  return `${name}-${Date.now()}@northwind.example`;
}

/** An account whose owner has this email; the operator vouches for it. */
async function registerVouched(request: APIRequestContext, email: string): Promise<Account> {
  const account = await register(request, email);
  await vouchFor(account);
  return account;
}

test("whose verified email is known is signed in, into their own account", async ({ page }) => {
  const email = newEmail("ada");
  const { integratorId } = await registerVouched(page.request, email);
  await page.goto(await begin(page));
  await signInThere(page, email.toUpperCase());
  await expect(page).toHaveURL("/overview");
  const headers = await toPageHeaders(page.request);
  const me = await page.request.get("/api/card-integrators/me", { headers });
  expect((await me.json()).data).toMatchObject({ id: integratorId, email });
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === "floatdeck.session")).toMatchObject({
    httpOnly: true,
    sameSite: "Lax",
    path: "/",
  });
});

test("signing out ends that session, wherever its cookie was copied to", async ({ page }) => {
  const email = newEmail("ada");
  await registerVouched(page.request, email);
  await page.goto(await begin(page));
  await signInThere(page, email);
  await expect(page).toHaveURL("/overview");
  const { cookies } = await page.context().storageState();
  await page.evaluate(async () => {
    const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
    await fetch("/api/auth/signout", { method: "POST", body: new URLSearchParams({ csrfToken }) });
  });
  expect(await isSignedIn(page)).toBe(false);
  await page.context().addCookies(cookies);
  expect(await isSignedIn(page)).toBe(false);
});

test("whose email belongs to no account is refused", async ({ page }) => {
  await page.goto(await begin(page));
  await signInThere(page, newEmail("stranger"));
  await expect(page).toHaveURL(/\/sign-in\?error=\w+$/u);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("sign you in");
  expect(await isSignedIn(page)).toBe(false);
});

test("is not let into the account of a stranger who signed up with their email", async ({
  page,
}) => {
  const email = newEmail("ada");
  await register(page.request, email);
  await page.goto(await begin(page));
  await signInThere(page, email);
  await expect(page).toHaveURL(/\/sign-in\?error=\w+$/u);
  expect(await isSignedIn(page)).toBe(false);
  await fillSignIn(page, { email, password: PASSWORD });
  expect(await isSignedIn(page)).toBe(true);
});

test("whose email the provider has not verified is refused, known or not", async ({ page }) => {
  const email = newEmail("unverified");
  await registerVouched(page.request, email);
  await page.goto(await begin(page));
  await signInThere(page, email);
  await expect(page).toHaveURL(/\/sign-in\?error=\w+$/u);
  expect(await isSignedIn(page)).toBe(false);
});

test("an answer that this browser did not ask for is refused", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = newEmail("ada");
  await registerVouched(page.request, email);
  // An attacker signs in at the provider and makes another browser follow the redirect back.
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const theirs = await context.newPage();
  let answer = "";
  theirs.on("request", (request) => {
    answer = request.url().includes("/callback/openid") ? request.url() : answer;
  });
  await theirs.goto(await begin(theirs));
  // The attacker's browser must not follow it, so that the code stays unused.
  await context.clearCookies({ domain: new URL(baseURL ?? "").hostname });
  await signInThere(theirs, email);
  await expect(theirs).toHaveURL(/\/sign-in\?.*error=\w+/u);
  expect(answer).toContain("code=");
  await begin(page);
  await page.goto(answer);
  await expect(page).toHaveURL(/\/sign-in\?.*error=\w+/u);
  expect(await isSignedIn(page)).toBe(false);
  await context.close();
});

test("a changed state, a made-up code and an error of the provider are refused", async ({
  page,
}) => {
  for (const change of [
    (query: URLSearchParams) => query.set("state", "forged"),
    (query: URLSearchParams) => query.set("code", "forged"),
    (query: URLSearchParams) => query.set("error", "access_denied"),
  ]) {
    const asked = new URL(await begin(page));
    const answer = new URL(asked.searchParams.get("redirect_uri") ?? "");
    answer.searchParams.set("iss", asked.origin);
    answer.searchParams.set("code", "made-up");
    answer.searchParams.set("state", asked.searchParams.get("state") ?? "");
    change(answer.searchParams);
    await page.goto(answer.href);
    await expect(page).toHaveURL(/\/sign-in\?.*error=\w+/u);
    expect(await isSignedIn(page)).toBe(false);
  }
});
