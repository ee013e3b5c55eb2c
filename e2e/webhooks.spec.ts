import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { answer, startReceiver } from "#db/testing/receiver.ts";
import type { Receiver } from "#db/testing/receiver.ts";

const PASSWORD = "correct horse battery";

/** An account of a test's own, with what calls the API for it. */
interface Account {
  email: string;
  send(method: "POST" | "PATCH", path: string, data?: object): Promise<unknown>;
}

let receiver: Receiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});

test.afterEach(() => receiver.stop());

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
  const { api_key: key } = (await registered.json()).data;
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
  return { email, send };
}

async function signIn(page: Page, { email }: Account): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL("/overview");
}

/** Somebody signed in, of an account of its own. */
async function begin(page: Page): Promise<Account> {
  const account = await register(page.request);
  await signIn(page, account);
  return account;
}

/** What a notification tells, once the reference library has found its signature right. */
function verify(secret: string, index: number): { id: string; event: string } {
  const { body, headers } = receiver.received[index] ?? { body: "", headers: {} };
  const told = new Webhook(secret).verify(body, headers as Record<string, string>);
  return told as { id: string; event: string };
}

const panel = (page: Page, name: string): Locator =>
  page.getByRole("region", { name, exact: true });

/** The newest delivery of an event, from the list. */
async function openDelivery(page: Page, event: string): Promise<void> {
  await page.goto(`/developers/webhooks?event=${event}`);
  const row = page.getByRole("grid", { name: "Deliveries" }).getByRole("row", { name: event });
  // A row leads somewhere only once the page's scripts run.
  await expect(async () => {
    await row.first().click({ timeout: 1_000 });
    await expect(page).toHaveURL(/\/deliveries\//u, { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("heading", { level: 1, name: event })).toBeVisible();
}

test("an address set on the screen is told each change, signed with the secret that the owner reveals", async ({
  page,
}) => {
  const { send } = await begin(page);
  await page.goto("/settings/account");
  await page.getByLabel("Webhook URL").fill(receiver.url);
  await page.getByRole("button", { name: "Save changes" }).click();
  await receiver.waitFor(2);

  await page.goto("/developers/webhooks");
  await expect(panel(page, "Endpoint")).toContainText(receiver.url);
  await page.getByRole("button", { name: "Reveal" }).click();
  await page.getByRole("button", { name: "Show the secret" }).click();
  const secret = await page.getByRole("note", { name: "Signing secret" }).innerText();
  await page.getByRole("button", { name: "Done" }).click();

  await send("PATCH", "/card-integrators/top-up-float", { amount: 5_000 });
  await receiver.waitFor(3);
  const { id, event } = verify(secret, 2);
  expect(event).toBe("float.topped-up");
  expect(receiver.received[2]?.headers["webhook-id"]).toBe(id);
  expect(() => verify("whsec_dGhlIHdyb25nIG9uZSBhbHRvZ2V0aGVy", 2)).toThrow();

  await openDelivery(page, "float.topped-up");
  await expect(page.getByRole("listitem", { name: "Try 1" })).toContainText("arrived");
  await expect(page.getByRole("region", { name: "Request headers" })).toContainText(
    String(receiver.received[2]?.headers["webhook-signature"]),
  );
  await page.goto("/developers/events");
  await page.getByRole("list", { name: "Events" }).getByRole("button", { name: event }).click();
  await page.getByRole("link", { name: "Its delivery" }).click();
  await expect(page).toHaveURL(new RegExp(`/deliveries/${id}$`, "u"));
});

test("a receiver that is down is tried again, and sent to once more from the screen when it is back", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { send } = await begin(page);
  await send("PATCH", "/card-integrators/update", { webhook_url: receiver.url });
  await receiver.waitFor(2);
  receiver.behave(answer(503, { "content-type": "text/plain" }, "down for repairs"));
  await send("PATCH", "/card-integrators/top-up-float", { amount: 5_000 });
  // The first try, and the first retry some five seconds later.
  await receiver.waitFor(4);

  await openDelivery(page, "float.topped-up");
  const first = page.getByRole("listitem", { name: "Try 1" });
  const second = page.getByRole("listitem", { name: "Try 2" });
  await expect(second).toContainText("The receiver failed.");
  await expect(second).toContainText("HTTP 503");
  await expect(second).toContainText("down for repairs");
  await expect(first).toContainText("failed");
  await expect(page.getByText("Retrying")).toBeVisible();
  await expect(panel(page, "Details")).toContainText(/Next try\s*in [45] min/u);
  await panel(page, "Body").getByRole("button", { name: /^Copy/u }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(receiver.received[2]?.body);

  receiver.behave(answer(200));
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(page.getByRole("listitem", { name: "Try 3" })).toContainText("arrived");
  await expect(page.getByText("Delivered", { exact: true }).first()).toBeVisible();
  const [failed, again] = [receiver.received[2], receiver.received.at(-1)];
  expect(again?.body).toBe(failed?.body);
  expect(again?.headers["webhook-id"]).toBe(failed?.headers["webhook-id"]);
});

test("a receiver that wants no more shows on every page, until notifications are on again and what was missed is recovered", async ({
  page,
}) => {
  const { send } = await begin(page);
  await send("PATCH", "/card-integrators/update", { webhook_url: receiver.url });
  await receiver.waitFor(2);
  receiver.behave(answer(410));
  await page.goto("/developers/webhooks");
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByRole("listitem", { name: "Try 1" })).toContainText("410");
  for (const path of ["/cards", "/settings/security", "/overview"]) {
    await page.goto(path);
    await expect(
      page.getByRole("status").filter({ hasText: "Notifications were switched off" }),
    ).toContainText("410");
  }
  await send("PATCH", "/card-integrators/top-up-float", { amount: 5_000 });
  receiver.behave(answer(200));
  await page.getByRole("link", { name: "Go to webhooks" }).click();
  await expect(page.getByRole("button", { name: /^Send a test: / })).toBeVisible();
  await page.getByRole("button", { name: "Switch on again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Recover" }).click();
  await receiver.waitFor(5);
  const told = receiver.received.slice(3).map(({ body }) => String(JSON.parse(body).event));
  expect(told.toSorted()).toEqual(["float.topped-up", "webhook.test"]);
  await expect(panel(page, "Endpoint")).toContainText("On");
  await expect(page.getByText("Notifications were switched off")).toBeHidden();
});

test("a rotated secret is shown, and for a day the one before signs beside it", async ({
  page,
}) => {
  const { send } = await begin(page);
  await send("PATCH", "/card-integrators/update", { webhook_url: receiver.url });
  await receiver.waitFor(2);
  await page.goto("/developers/webhooks");
  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("button", { name: "Make a new secret" }).click();
  const secret = await page.getByRole("note", { name: "Signing secret" }).innerText();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("The secret before signs too")).toBeVisible();
  await send("POST", "/webhooks/test");
  await receiver.waitFor(3);
  expect(verify(secret, 2).event).toBe("webhook.test");
  expect(String(receiver.received[2]?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the screens have nothing that axe objects to in ${colorScheme}, and fit 375 px`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await beginRefused(page);
    await openDelivery(page, "webhook.test");
    await expectSound(page);
    await page.goto("/overview");
    await expect(page.getByText("Notifications were switched off")).toBeVisible();
    await expectSound(page);
    await page.goto("/developers/events");
    await page.getByRole("button", { name: "webhook.test" }).first().click();
    await expect(page.getByRole("region", { name: "Body" })).toBeVisible();
    await expectSound(page);
  });

  test(`the list and its dialogs have nothing that axe objects to in ${colorScheme}, and fit 375 px`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await beginRefused(page);
    await page.goto("/developers/webhooks");
    await expectSound(page);
    for (const name of ["Switch on again", "Rotate", "Reveal"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectSound(page);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
  });
}

/** Somebody signed in whose receiver has taken two notifications and then wanted no more. */
async function beginRefused(page: Page): Promise<void> {
  const { send } = await begin(page);
  await send("PATCH", "/card-integrators/update", { webhook_url: receiver.url });
  await receiver.waitFor(2);
  receiver.behave(answer(410));
  await send("POST", "/webhooks/test");
  await receiver.waitFor(3);
}

/** Nothing that axe objects to, wide and narrow, and nothing wider than a telephone. */
async function expectSound(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, includeHidden: true })).toBeVisible();
  for (const width of [1_280, 375]) {
    await page.setViewportSize({ width, height: 812 });
    // What was read out to a screen reader stays in the page for some seconds, and may speak of what has gone.
    const { violations } = await new AxeBuilder({ page })
      .exclude("[data-live-announcer]")
      .analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    expect(found).toEqual([]);
  }
  const surplus = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(surplus).toBe(0);
  await page.setViewportSize({ width: 1_280, height: 812 });
}
