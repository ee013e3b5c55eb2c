import type { APIRequestContext, Page } from "@playwright/test";
import { whileRenamed } from "./database.ts";
import { callApi, expect, newCard, test as base, valueOf } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";
import { startOwnServer } from "./own-server.ts";
import type { OwnServer } from "./own-server.ts";

const test = base.extend<object, { server: OwnServer }>({
  server: [
    // Playwright requires the braces: it reads a fixture's dependencies from them.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startOwnServer();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
});

// One after another: each freezes the database for all.
test.describe.configure({ mode: "default" });

const BUSY = "Busy, trying again";
const FAILURES = new RegExp(`${BUSY}|load this page|isn't responding`, "u");

/** Notes whether the text is ever shown, however briefly; undefined once the document has been replaced. */
async function watchFor(page: Page, text: RegExp): Promise<() => Promise<string | undefined>> {
  await page.evaluate((source) => {
    document.documentElement.dataset["seen"] = "never";
    const pattern = new RegExp(source, "u");
    const look = () => {
      if (pattern.test(document.body.innerText)) {
        document.documentElement.dataset["seen"] = "shown";
      }
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  }, text.source);
  return () => page.evaluate(() => document.documentElement.dataset["seen"]);
}

/** Waits for longer than the API itself waits for the database: the second request begins after whatever was sent before. */
async function outlastApi(request: APIRequestContext, { apiKey }: Account): Promise<void> {
  for (const path of ["/api/cards", "/api/transactions"]) {
    const answer = await request.get(path, { headers: { Authorization: `Bearer ${apiKey}` } });
    expect([answer.status(), (await answer.json()).code]).toEqual([503, "database_unavailable"]);
  }
}

function frameOf(page: Page) {
  return page.getByRole("navigation", { name: "Main" });
}

test("a database that is frozen for longer than the API waits delays a page, and nothing else is seen", async ({
  server,
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  await owner.goto("/overview");
  const readSeen = await watchFor(owner, FAILURES);
  await server.whileFrozen(async () => {
    await frameOf(owner).getByRole("link", { name: "Cards", exact: true }).click();
    await expect(owner.getByRole("status", { name: "Loading" })).toBeVisible();
    await outlastApi(request, account);
  });
  await expect(owner.getByRole("link", { name: card.name })).toBeVisible();
  expect(await readSeen()).toBe("never");
});

test("a document waits for a frozen database too", async ({ server, owner, account, request }) => {
  const card = await newCard(request, account);
  const loaded = Promise.withResolvers<number | undefined>();
  await server.whileFrozen(async () => {
    void owner
      .goto(`/cards/${card.id}`)
      .then((answer) => loaded.resolve(answer?.status()), loaded.reject);
    await outlastApi(request, account);
  });
  expect(await loaded.promise).toBe(200);
  await expect(owner.getByRole("heading", { name: card.name })).toBeVisible();
});

test("a page that is asked for while the database stays frozen says busy in its frame, and comes by itself", async ({
  server,
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  await owner.goto("/overview");
  await server.whileFrozen(async () => {
    await frameOf(owner).getByRole("link", { name: "Cards", exact: true }).click();
    await expect(owner.getByText(BUSY)).toBeVisible();
    await expect(frameOf(owner)).toBeVisible();
    await expect(owner.getByRole("status", { name: "Loading" })).toBeVisible();
  });
  await expect(owner.getByRole("link", { name: card.name })).toBeVisible();
  await expect(owner.getByText(BUSY)).toBeHidden();
});

test("a document that is asked for while the database stays frozen says busy, names the request, and comes by itself", async ({
  server,
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  await server.whileFrozen(async () => {
    const answer = await owner.goto(`/cards/${card.id}`);
    expect(answer?.status()).toBe(503);
    await expect(owner.getByRole("heading", { name: BUSY })).toBeVisible();
    const requestId = answer?.headers()["x-request-id"] ?? "";
    await expect(owner.getByText(requestId)).toBeVisible();
    await expectLogged(server, "A page was not served", requestId);
  });
  await expect(owner.getByRole("heading", { name: card.name })).toBeVisible();
});

test("a page that refreshes itself while the database is frozen stays as it is, says busy, and goes on by itself", async ({
  server,
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000 });
  await owner.setViewportSize({ width: 1_000, height: 400 });
  await owner.goto(`/cards/${card.id}`);
  await owner.mouse.wheel(0, 150);
  await expect.poll(() => owner.evaluate(() => window.scrollY)).toBe(150);
  // The database freezes between the question whether it responds, and the refresh.
  await owner.route("**/api/health/ready", (route) => route.fulfill({ status: 200 }));
  await callApi(request, account, {
    path: "/cards/credit/balance",
    body: { card_id: card.id, amount: 500 },
  });
  await server.whileFrozen(async () => {
    await expect(owner.getByText(BUSY)).toBeVisible();
    await expect(frameOf(owner)).toBeVisible();
    await expect(owner.getByRole("heading", { name: card.name })).toBeVisible();
    await expect(valueOf(owner, "Balance")).toHaveText("$0.00");
  });
  await expect(valueOf(owner, "Balance")).toHaveText("$5.00");
  await expect(owner.getByText(BUSY)).toBeHidden();
  expect(await owner.evaluate(() => window.scrollY)).toBe(150);
});

test("a page that fails names its request, which the log has, and can be tried again", async ({
  server,
  owner,
  account,
  request,
}) => {
  await newCard(request, account);
  await owner.goto("/overview");
  const failure = owner.getByRole("alert").filter({ hasText: "We couldn't load this page." });
  const nameFailed = async () => {
    const id = await failure.getByText(/^[0-9a-f-]{36}$/u).textContent();
    await expectLogged(server, "A page failed.", id ?? "none");
    return id;
  };
  await whileRenamed("cardholders", server.dataDir, async () => {
    await frameOf(owner).getByRole("link", { name: "Cardholders", exact: true }).click();
    const navigated = await nameFailed();
    const loaded = await owner.reload();
    expect(loaded?.status()).toBe(500);
    await expect(failure).toContainText("Request ID for support:");
    expect(await nameFailed()).toBe(loaded?.headers()["x-request-id"]);
    expect(navigated).not.toBe(loaded?.headers()["x-request-id"]);
  });
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(owner.getByRole("heading", { name: "Cardholders", exact: true })).toBeVisible();
});

async function expectLogged(server: OwnServer, message: string, requestId: string): Promise<void> {
  await expect
    .poll(() =>
      server
        .readLog()
        .split("\n")
        .filter((line) => line.includes(message) && line.includes(`"requestId":"${requestId}"`)),
    )
    .toHaveLength(1);
}
