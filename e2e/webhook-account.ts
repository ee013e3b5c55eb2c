import { expect } from "@playwright/test";
import type { APIRequestContext, Locator, Page } from "@playwright/test";

const PASSWORD = "correct horse battery";

/** What a browser says of a request that one of our own pages makes. */
const OWN_PAGE = { "Sec-Fetch-Site": "same-origin" };

interface Answer {
  data: { id: string };
}

/** An account of a test's own, with what calls the API for it. */
interface Account {
  id: string;
  email: string;
  send(method: "POST" | "PATCH", path: string, data?: object): Promise<Answer>;
}

async function register(request: APIRequestContext): Promise<Account> {
  const email = `owner-${crypto.randomUUID()}@northwind.example`;
  const registered = await request.post("/api/card-integrators/register-integrator", {
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
  expect(registered.status()).toBe(201);
  const { id, api_key: key } = (await registered.json()).data;
  const send: Account["send"] = async (method, path, data) => {
    const headers = { Authorization: `Bearer ${key}` };
    const reply = await request.fetch(`/api${path}`, {
      method,
      headers,
      ...(data ? { data } : {}),
    });
    expect(reply.ok(), await reply.text()).toBe(true);
    return reply.json();
  };
  return { id, email, send };
}

export async function signIn(page: Page, { email }: Pick<Account, "email">): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL("/overview");
}

/** Somebody signed in, of an account of its own. */
export async function begin(page: Page): Promise<Account> {
  const account = await register(page.request);
  await signIn(page, account);
  return account;
}

/** A card of a new holder. */
export async function newCard(accountId: string, send: Account["send"]): Promise<string> {
  const user = await send("POST", `/card-integrators/${accountId}/register-user`, {
    address: { city: "Accra", country: "GH", line1: "2 Ring Road", state: "AA", zip_code: "00233" },
    email: "lin@northwind.example",
    first_name: "Lin",
    last_name: "Osei",
    id_number: "X1234567",
    id_type: "passport",
    phone_number: "+233200000000",
  });
  const card = await send("POST", "/cards/create-virtual-card", {
    user_id: user.data.id,
    currency: "USD",
    design_type: "midnight",
    single_use: false,
    validity: 365,
  });
  return card.data.id;
}

/** Somebody who may only look, of the account whose owner is signed in. */
export async function inviteViewer({ request }: Page): Promise<{ email: string }> {
  const email = `viewer-${crypto.randomUUID()}@northwind.example`;
  const invited = await request.post("/api/staff/invitations", {
    headers: OWN_PAGE,
    data: { email, role: "viewer" },
  });
  const { link } = await invited.json();
  const accepted = await request.post("/api/staff/links/accept", {
    data: {
      token: new URL(link).hash.slice(1),
      first_name: "Vi",
      last_name: "Lee",
      password: PASSWORD,
    },
  });
  expect(accepted.status(), await accepted.text()).toBe(201);
  return { email };
}

export const panel = (page: Page, name: string): Locator =>
  page.getByRole("region", { name, exact: true });

/** The newest delivery of an event, from the list. */
export async function openDelivery(page: Page, event: string): Promise<void> {
  await page.goto(`/developers/webhooks?event=${event}`);
  const row = page.getByRole("grid", { name: "Deliveries" }).getByRole("row", { name: event });
  // A row leads somewhere only once the page's scripts run.
  await expect(async () => {
    await row.first().click({ timeout: 1_000 });
    await expect(page).toHaveURL(/\/deliveries\//u, { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("heading", { level: 1, name: event })).toBeVisible();
}
