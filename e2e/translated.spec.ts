import type { Page } from "@playwright/test";
import {
  callApi,
  comeToLife,
  expect,
  findEvent,
  newCard,
  simulate,
  test,
  topUp,
} from "./fixtures.ts";
import { hurry } from "./hurry.ts";

/** A browser's translation at work: Google Translate's, which replaces every text node, and goes on doing so. */
async function translate(page: Page): Promise<void> {
  // The browser gets this function as text, so it contains all that it needs.
  // oxlint-disable unicorn/consistent-function-scoping
  await page.evaluate(() => {
    const toFont = (content: Node) => {
      const font = document.createElement("font");
      font.style.verticalAlign = "inherit";
      font.append(content);
      return font;
    };
    const isText = (node: Node): node is Text =>
      node instanceof Text &&
      node.data.trim() !== "" &&
      node.parentElement?.closest("font, script, style, noscript, textarea, title") === null;
    const replaceAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = isText(root) ? [root] : [];
      while (walker.nextNode()) {
        if (isText(walker.currentNode)) {
          found.push(walker.currentNode);
        }
      }
      for (const text of found) {
        // The words stay the same, so that the tests can read them.
        text.replaceWith(toFont(toFont(document.createTextNode(text.data))));
      }
    };
    replaceAll(document.body);
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node.isConnected) {
          replaceAll(node);
        }
      }
    }).observe(document.body, { subtree: true, childList: true });
  });
}

// oxlint-enable unicorn/consistent-function-scoping

/** What the page shows. The text of a select has all of its options. */
async function readText(page: Page): Promise<string> {
  const text = await page.getByRole("main").evaluate((main: HTMLElement) => {
    const selects = [...main.querySelectorAll("select")].map((select) => select.innerText);
    return selects.reduce((left, options) => left.replace(options, ""), main.innerText);
  });
  return text.replaceAll(/\s+/gu, " ");
}

test("a list shows a card's new status on a translated page", async ({
  account,
  owner,
  request,
}) => {
  const card = await newCard(request, account, { name: "Mei Tanaka", balance: 0 });
  await hurry(owner);
  await owner.goto("/cards");
  await translate(owner);
  const row = owner.getByRole("row", { name: /Mei Tanaka/u });
  for (const [act, status] of [
    ["freeze", "Frozen"],
    ["unfreeze", "Active"],
    ["freeze", "Frozen"],
  ] as const) {
    await callApi(request, account, { path: `/cards/${card.id}/${act}` });
    await expect(row.getByRole("cell").nth(1)).toHaveText(status);
  }
});

test("a card's status is changed on a translated page, which says what it is then", async ({
  account,
  owner,
  request,
}) => {
  await topUp(request, account, 50_000);
  const card = await newCard(request, account, { name: "Mei Tanaka", balance: 5_000 });
  await hurry(owner);
  await owner.goto(`/cards/${card.id}`);
  await translate(owner);
  for (let times = 0; times < 2; times += 1) {
    await owner.getByRole("button", { name: "Freeze", exact: true }).click();
    await owner.getByRole("button", { name: "Freeze card" }).click();
    await expect(owner.getByText(/^Frozen by Ada Winter/u).first()).toBeVisible();
    await owner.getByRole("button", { name: "Unfreeze" }).click();
    await owner.getByRole("button", { name: "Unfreeze card" }).click();
    await expect(owner.getByRole("button", { name: "Freeze", exact: true })).toBeVisible();
  }
  await owner.getByRole("button", { name: "Credit", exact: true }).click();
  const dialog = owner.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /^Amount/u }).fill("20");
  await dialog.getByRole("button", { name: /^Credit/u }).click();
  await expect(owner.getByRole("main")).toContainText("$70.00");
  await expect(owner.getByText("We couldn't load this page.")).toHaveCount(0);
});

test("every page that refreshes itself shows on a translated page what it shows when loaded anew", async ({
  account,
  owner,
  request,
}) => {
  test.setTimeout(600_000);
  await topUp(request, account, 100_000);
  const card = await newCard(request, account, { name: "Mei Tanaka", balance: 20_000 });
  const bought = await simulate(request, account, {
    cardId: card.id,
    type: "authorize",
    amount: 700,
  });
  const event = await findEvent(request, account);
  await hurry(owner);
  const fresh = await owner.context().newPage();
  const change = async () => {
    await callApi(request, account, { path: `/cards/${card.id}/freeze`, body: { reason: "lost" } });
    await simulate(request, account, { cardId: card.id, type: "deduct", amount: 300 });
    await callApi(request, account, { path: `/cards/${card.id}/unfreeze` });
    await simulate(request, account, { cardId: card.id, type: "deduct", amount: 400 });
    await callApi(request, account, {
      path: "/card-integrators/settings",
      body: { low_balance_threshold: 90_000 },
    });
    await simulate(request, account, {
      cardId: card.id,
      type: "capture",
      transaction_id: bought.id,
    }).catch(() => undefined);
    await callApi(request, account, { path: `/cards/${card.id}/freeze`, body: { reason: "lost" } });
  };
  for (const path of [
    "/overview",
    "/cards",
    `/cards/${card.id}`,
    "/cardholders",
    `/cardholders/${card.userId}`,
    "/transactions",
    `/transactions/${bought.id}`,
    "/float",
    "/developers/webhooks",
    "/developers/events",
    `/developers/events/${event.id}`,
    "/developers/api-log",
    "/developers/api-log/health",
    "/settings/audit-log",
  ]) {
    await callApi(request, account, { path: `/cards/${card.id}/unfreeze` });
    await owner.goto(path);
    await translate(owner);
    await change();
    await expect(async () => {
      await fresh.goto(path);
      await comeToLife(fresh);
      await expect(async () => {
        expect([path, await readText(owner)]).toEqual([path, await readText(fresh)]);
      }).toPass({ timeout: 3_000 });
      // What changes with time alone, such as when the ledger was last checked, appears within a minute.
    }).toPass({ timeout: 90_000 });
  }
});

test("a translated page leads to every other place, and back", async ({ owner }) => {
  await owner.goto("/overview");
  await translate(owner);
  const links = owner.getByRole("navigation", { name: "Main" }).getByRole("link");
  const names = await links.allInnerTexts();
  for (const name of [...names, ...names.slice(0, 2)]) {
    const link = links.filter({ hasText: new RegExp(`^${name}$`, "u") });
    const href = await link.getAttribute("href");
    await link.click();
    await owner.waitForURL(`**${href}`);
    const heading = owner.getByRole("heading", { level: 1 });
    await expect(heading).toBeVisible();
    await expect(heading).not.toHaveText("We couldn't load this page.");
    if (href === "/docs") {
      // It has a frame of its own.
      await owner.goBack();
      await expect(links.first()).toBeVisible();
    }
  }
});

test("a translated sign-in page says what went wrong, twice, and signs in", async ({
  account,
  page,
}) => {
  await page.goto("/sign-in");
  await translate(page);
  await page.getByLabel("Email").fill(account.email);
  for (let times = 0; times < 2; times += 1) {
    await page.getByLabel("Password").fill("wrong horse battery");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText(
      "We couldn't sign you in.",
    );
  }
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/overview");
});
