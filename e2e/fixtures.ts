import { test as base, expect } from "@playwright/test";
import type { APIRequestContext, Locator, Page } from "@playwright/test";

/** An integrator of a test's own, and how its owner signs in. */
export interface Account {
  integratorId: string;
  email: string;
  password: string;
  apiKey: string;
}

/** What everybody here signs in with. */
export const PASSWORD = "correct horse battery";
const CARDHOLDER = {
  phone_number: "+15550111",
  id_type: "passport",
  id_number: "X1234567",
  address: {
    city: "Accra",
    country: "GH",
    line1: "2 Ring Road",
    line2: null,
    state: "AA",
    zip_code: "00233",
  },
};

function anAddress(): string {
  return `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
}

/** Each test comes from an address of its own, as far as throttling sees, with an integrator of its own. */
export const test = base.extend<{ account: Account; owner: Page; othersLeave: void }>({
  // Playwright asks for the braces: what a fixture needs is read from them.
  // oxlint-disable-next-line no-empty-pattern
  extraHTTPHeaders: async ({}, use) => use({ "x-forwarded-for": anAddress() }),
  // Whoever a test let in besides leaves with it: their pages would go on refreshing under the next tests.
  othersLeave: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
  page: async ({ page }, use) => {
    const goto = page.goto.bind(page);
    page.goto = async (...args) => {
      const response = await goto(...args);
      await comeToLife(page);
      return response;
    };
    await use(page);
  },
  account: async ({ request }, use) => use(await register(request)),
  /** A page on which the account's owner is signed in. */
  owner: async ({ page, account }, use) => {
    await signIn(page, account);
    await use(page);
  },
});

export { expect };

/** Waits until React has taken the page over: a click before that is lost. Other pages are as they are at once. */
export async function comeToLife(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !("__next_f" in window) ||
      Object.keys(document.body).some((key) => key.startsWith("__reactFiber")),
  );
}

/** Registers an integrator, whose owner has this email, through the API. */
export async function register(
  request: APIRequestContext,
  email = `owner-${crypto.randomUUID()}@northwind.example`,
): Promise<Account> {
  const answer = await request.post("/api/card-integrators/register-integrator", {
    data: {
      business_name: "Northwind",
      business_address: "1 Harbour Street",
      contact_number: "+15550100",
      country: "US",
      domain: "northwind.example",
      email,
      first_name: "Ada",
      last_name: "Winter",
      password: PASSWORD,
      registration_number: "12345",
    },
  });
  expect(answer.status()).toBe(201);
  const { data } = await answer.json();
  return { integratorId: data.id, email, password: PASSWORD, apiKey: data.api_key };
}

/** Signs in as a person does, and waits for the overview. */
export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/overview");
  await comeToLife(page);
}

/** Calls the API as one of the account's programs; answers the body of what succeeded. */
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

/** Puts money into the float, in minor units. */
export async function topUp(
  request: APIRequestContext,
  account: Account,
  amount: number,
): Promise<void> {
  await callApi(request, account, { path: "/card-integrators/top-up-float", body: { amount } });
}

/** Makes a card for somebody of this name, holding `balance` minor units of the float. */
export async function newCard(
  request: APIRequestContext,
  account: Account,
  { name = "Lin Osei", balance = 0 }: { name?: string; balance?: number } = {},
): Promise<{ id: string; last4: string; name: string; userId: string }> {
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
    "ID type": "passport",
    "ID number": "X1234567",
    Address: "2 Ring Road",
    "Apartment or suite": "Apt 4",
    City: "Accra",
    "State or region": "AA",
    "Postal code": "00233",
    Country: "GH",
  })) {
    await dialog.getByRole("textbox", { name: new RegExp(`^${label}`, "u") }).fill(value);
  }
}

/** As a colleague does, through the API: lifts a freeze and makes another. */
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
  // It selects what is listed: all of them must be.
  await expect(page.getByRole("checkbox", { name: /^Select (?!all$)/u })).toHaveCount(count);
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(page.getByText(`${count} selected`)).toBeVisible();
}

/** The value beside a term of a description list. */
export function valueOf(place: Page | Locator, term: string): Locator {
  return place
    .getByRole("term")
    .filter({ hasText: new RegExp(`^${term}$`, "u") })
    .locator("xpath=..")
    .getByRole("definition");
}
