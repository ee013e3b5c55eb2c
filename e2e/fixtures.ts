import { test as base, expect } from "@playwright/test";
import type { APIRequestContext, APIResponse, Locator, Page } from "@playwright/test";
import { CARDHOLDER, PASSWORD, toRegistration } from "#test/scene/people.ts";

/** What a person signs in with. */
export interface Credentials {
  email: string;
  password: string;
}

/** The integrator of one test, and the credentials of its owner. */
export interface Account extends Credentials {
  integratorId: string;
  apiKey: string;
}

function anAddress(): string {
  return `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
}

/** Each test has its own integrator, and its own client address for the throttles. */
export const test = base.extend<{ account: Account; owner: Page; othersLeave: void }>({
  // Playwright requires the braces: it reads a fixture's dependencies from them.
  // oxlint-disable-next-line no-empty-pattern
  extraHTTPHeaders: async ({}, use) => use({ "x-forwarded-for": anAddress() }),
  // Close the contexts that the test opened: their pages would keep refreshing during later tests.
  othersLeave: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
  page: async ({ page }, use) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (...args) => {
      const response = await goto(...args);
      await comeToLife(page);
      return response;
    };
    page.reload = async (...args) => {
      const response = await reload(...args);
      await comeToLife(page);
      return response;
    };
    await use(page);
  },
  account: async ({ request }, use) => use(await register(request)),
  /** A page of the account's owner, who is signed in. Nothing is loaded yet: each test goes where it begins. */
  owner: async ({ page, account }, use) => {
    await signIn(page.request, account);
    await use(page);
  },
});

export { expect };

/** What the wait below reads of React's own tree; `tag` says what kind of node it is. */
interface Fiber {
  tag: number;
  child: Fiber | null;
  sibling: Fiber | null;
  memoizedState: { isDehydrated?: boolean } | null;
  stateNode: { current: Fiber };
}

/**
 * Waits until React has hydrated the page, every boundary of it, and has run the effects, because an earlier click or
 * key is lost. Static pages are ready at once.
 */
export async function comeToLife(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (!("__next_f" in window)) {
      return true;
    }
    const found = Object.entries(document).find(([key]) => key.startsWith("__reactContainer"));
    const root = (found?.[1] as Fiber | undefined)?.stateNode.current;
    if (!root || root.memoizedState?.isDehydrated) {
      return false;
    }
    const DEHYDRATED_BOUNDARY = 18;
    const left = [root];
    for (let fiber = left.pop(); fiber; fiber = left.pop()) {
      if (fiber.tag === DEHYDRATED_BOUNDARY) {
        return false;
      }
      left.push(...[fiber.child, fiber.sibling].filter((next) => next !== null));
    }
    return true;
  });
  // Effects wait in the queue of messages. Some turns of it are over when they have run.
  await page.evaluate(async () => {
    for (let turns = 0; turns < 10; turns += 1) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", resolve, { once: true });
        port1.start();
        port2.postMessage(null);
      });
    }
  });
}

/** Registers an integrator through the API; its owner has this email. */
export async function register(
  request: APIRequestContext,
  email = `owner-${crypto.randomUUID()}@northwind.example`,
): Promise<Account> {
  const answer = await request.post("/api/card-integrators/register-integrator", {
    data: toRegistration(email),
  });
  expect(answer.status()).toBe(201);
  const { data } = await answer.json();
  return { integratorId: data.id, email, password: PASSWORD, apiKey: data.api_key };
}

/** The token against forgery, which signing in needs. */
export async function readToken(request: APIRequestContext): Promise<string> {
  return (await (await request.get("/api/auth/csrf")).json()).csrfToken;
}

/** Sends the sign-in form's request; a success leaves the session's cookies in the context. */
export async function sendSignIn(
  request: APIRequestContext,
  form: Record<string, string>,
): Promise<APIResponse> {
  return request.post("/api/auth/callback/credentials", { form: { json: "true", ...form } });
}

/** Signs in without a page: pages of the request's context are then that person's. */
export async function signIn(
  request: APIRequestContext,
  { email, password }: Credentials,
): Promise<void> {
  const csrfToken = await readToken(request);
  const answer = await sendSignIn(request, { csrfToken, email, password });
  expect(answer.ok()).toBe(true);
}

/** Signs in on the sign-in page, and waits for the overview. */
export async function fillSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/overview");
  await comeToLife(page);
}

/** The headers that pages of the signed-in person send to the API; for nobody's page, they name no one. */
export async function toPageHeaders(request: APIRequestContext): Promise<Record<string, string>> {
  const { staffId = "" } = await (await request.get("/api/auth/session")).json();
  return { "Sec-Fetch-Site": "same-origin", "Staff-Id": staffId };
}

/** Calls the API with the account's key. @returns the body of a successful response. */
export async function callApi(
  request: APIRequestContext,
  { apiKey }: Account,
  { method = "PATCH", path, body }: { method?: string; path: string; body?: object },
) {
  const answer = await request.fetch(`/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}` },
    ...(body ? { data: body } : {}),
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** A card as the API shows it. */
export function readCard(request: APIRequestContext, account: Account, id: string) {
  return callApi(request, account, { method: "GET", path: `/cards/${id}` });
}

/** The newest event of this name. One is listed once no older transaction can precede it, whoever's that is. */
export async function findEvent(
  request: APIRequestContext,
  account: Account,
  event = "card.created",
): Promise<{ id: string; request_id: string }> {
  const path = `/events?limit=1&event=${event}`;
  const find = async () => (await callApi(request, account, { method: "GET", path })).data;
  await expect.poll(find).toHaveLength(1);
  const [newest] = await find();
  return newest;
}

/** Simulates a card network action on a card. @returns the transaction. */
export async function simulate(
  request: APIRequestContext,
  account: Account,
  { cardId, ...body }: { cardId: string; type: string } & Record<string, unknown>,
): Promise<{ id: string; status: string }> {
  const path = `/cards/${cardId}/mock-transaction`;
  return (await callApi(request, account, { method: "POST", path, body })).data;
}

/** Tops up the float, in minor units. */
export async function topUp(
  request: APIRequestContext,
  account: Account,
  amount: number,
): Promise<void> {
  await callApi(request, account, { path: "/card-integrators/top-up-float", body: { amount } });
}

/**
 * Creates a card for a new cardholder with this name, and credits it with `balance` minor units. Tops up the float with
 * `float` first.
 */
export async function newCard(
  request: APIRequestContext,
  account: Account,
  {
    name = "Lin Osei",
    float = 0,
    balance = 0,
  }: { name?: string; float?: number; balance?: number } = {},
): Promise<{ id: string; last4: string; name: string; userId: string }> {
  if (float > 0) {
    await topUp(request, account, float);
  }
  const [first_name, last_name] = name.split(" ");
  const user = await callApi(request, account, {
    method: "POST",
    path: `/card-integrators/${account.integratorId}/register-user`,
    body: { ...CARDHOLDER, first_name, last_name, email: `${crypto.randomUUID()}@example.com` },
  });
  const { data } = await callApi(request, account, {
    method: "POST",
    path: "/cards/create-virtual-card",
    body: {
      user_id: user.data.id,
      currency: "USD",
      design_type: "midnight",
      single_use: false,
      validity: 365,
    },
  });
  if (balance > 0) {
    await callApi(request, account, {
      path: "/cards/credit/balance",
      body: { card_id: data.id, amount: balance },
    });
  }
  return { id: data.id, last4: data.last4, name, userId: data.user_id };
}

/** Fills in a new cardholder's details. */
export async function fillCardholder(dialog: Locator): Promise<void> {
  for (const [label, value] of Object.entries({
    "First name": "Nina",
    "Last name": "Petrova",
    Email: "nina@example.com",
    Phone: "+15550111",
    "ID number": "X1234567",
    Address: "2 Ring Road",
    "Apartment or suite": "Apt 4",
    City: "Accra",
    "State or region": "AA",
    "Postal code": "00233",
  })) {
    await dialog.getByRole("textbox", { name: new RegExp(`^${label}`, "u") }).fill(value);
  }
  await dialog.getByRole("combobox", { name: /^ID type/u }).fill("Passport");
  await dialog.getByRole("combobox", { name: /^Country/u }).selectOption("Ghana");
}

/** Unfreezes a card and freezes it again through the API, as a colleague might do in the meantime. */
export async function refreeze(
  request: APIRequestContext,
  account: Account,
  id: string,
): Promise<void> {
  await callApi(request, account, { path: `/cards/${id}/unfreeze` });
  await callApi(request, account, { path: `/cards/${id}/freeze`, body: { reason: "stolen" } });
}

/** Selects every row of the list of cards. */
export async function selectAll(page: Page, count: number): Promise<void> {
  // Select all covers only the listed rows, so wait until all are listed.
  await expect(page.getByRole("checkbox", { name: /^Select (?!all$)/u })).toHaveCount(count);
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(page.getByText(`${count} selected`)).toBeVisible();
}

/** Expects a bulk job to be this far, on its page. */
export function expectProgress(page: Page, text: string): Promise<void> {
  return expect(page.getByRole("status").filter({ hasText: text })).toHaveText(text);
}

/** The value of a term in a description list. */
export function valueOf(place: Page | Locator, term: string): Locator {
  return place
    .getByRole("term")
    .filter({ hasText: new RegExp(`^${term}$`, "u") })
    .locator("xpath=..")
    .getByRole("definition");
}
