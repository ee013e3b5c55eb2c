import type { BrowserContext, Page } from "@playwright/test";
import { comeToLife, expect, test } from "./fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";

/** What is typed while the page is shown and its scripts are still on their way. */

const SCRIPTS = "**/_next/static/**/*.js*";

interface EarlyPage {
  page: Page;
  /** Lets the scripts arrive, and waits until the page responds. */
  bringToLife: () => Promise<void>;
}

/** Opens a page whose scripts are held back. */
async function openEarly(context: BrowserContext, path: string): Promise<EarlyPage> {
  const page = await context.newPage();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.getByRole("main").getByRole("heading").first().waitFor();
  return {
    page,
    bringToLife: async () => {
      release();
      await page.waitForLoadState("load");
      await comeToLife(page);
    },
  };
}

/** What can be filled in. */
const FIELDS = "input:not([type=checkbox]), select, textarea";

const TYPED: Readonly<Record<string, string>> = {
  email: "typed@early.example",
  url: "https://early.example/hooks",
  textarea: "Typed early\nin two lines",
};

/** Fills in every field of the page. @returns what they hold then, by their labels. */
async function fillAll(page: Page): Promise<Record<string, string>> {
  for (const field of await page.getByRole("main").locator(FIELDS).all()) {
    const kind = await field.evaluate((element) =>
      element instanceof HTMLInputElement ? element.type : element.localName,
    );
    if (kind === "select") {
      const other = field.locator("option:not(:checked, :disabled)").last();
      await field.selectOption(await other.getAttribute("value"));
    } else {
      await field.fill(TYPED[kind] ?? "Typed early");
    }
  }
  return readAll(page);
}

async function readAll(page: Page): Promise<Record<string, string>> {
  return page
    .getByRole("main")
    .locator(FIELDS)
    .evaluateAll((fields) =>
      Object.fromEntries(
        fields.map((field) => {
          const { labels, value } = field as HTMLInputElement;
          return [labels?.[0]?.textContent ?? field.getAttribute("aria-label") ?? "", value];
        }),
      ),
    );
}

/** The pages with fields, and how many they have at least. */
const PUBLIC_PAGES = [
  ["/sign-in", 2],
  ["/sign-up", 6],
] as const;
const OWN_PAGES = [
  ["/settings/account", 3],
  ["/settings/security", 2],
] as const;

/** Fills in the page before it comes to life, and then changes something, upon which React renders the form again. */
async function expectKept(context: BrowserContext, path: string, count: number): Promise<void> {
  const { page, bringToLife } = await openEarly(context, path);
  const typed = await fillAll(page);
  expect([path, Object.keys(typed).length]).toEqual([path, expect.any(Number)]);
  expect(Object.keys(typed).length).toBeGreaterThanOrEqual(count);
  await bringToLife();
  const first = page.getByRole("main").locator("input, textarea").first();
  await first.press("End");
  await first.press("x");
  const [label = ""] = Object.keys(typed);
  await expect.poll(() => readAll(page)).toEqual({ ...typed, [label]: `${typed[label]}x` });
  await page.close();
}

test("what was typed before the page came to life stays, in every field of a visitor's page", async ({
  browser,
}) => {
  const context = await browser.newContext();
  for (const [path, count] of PUBLIC_PAGES) {
    await expectKept(context, path, count);
  }
});

test("what was typed before the page came to life stays, in every field of a person's page", async ({
  owner,
}) => {
  for (const [path, count] of OWN_PAGES) {
    await expectKept(owner.context(), path, count);
  }
});

test("a sign-in that was filled in, and sent too early, can be sent once the page has come to life", async ({
  account,
  browser,
}) => {
  const { page, bringToLife } = await openEarly(await browser.newContext(), "/sign-in?error=1");
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByLabel("Password").press("Enter");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL("/sign-in?error=1");
  await bringToLife();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/overview");
});

test("a search that was typed before the list came to life is applied", async ({ owner }) => {
  for (const list of ["/cards", "/cardholders", "/transactions"]) {
    const { page, bringToLife } = await openEarly(owner.context(), list);
    await page.getByRole("searchbox").fill("Tanaka");
    await bringToLife();
    await expect(page).toHaveURL(`${list}?search=Tanaka`);
    await page.close();
  }
});

test("letters that are typed the moment a list appears are all kept", async ({ owner }) => {
  await owner.goto("/overview");
  await comeToLife(owner);
  // Typed by the page itself, before the effects of the new page run. Playwright's key presses arrive later.
  await owner.evaluate(() => {
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    const type = (field: HTMLInputElement, letter: string) => {
      setValue?.call(field, field.value + letter);
      field.dispatchEvent(new InputEvent("input", { bubbles: true, data: letter }));
    };
    const appearance = new MutationObserver(() => {
      const field = document.querySelector<HTMLInputElement>("main input[type=search]");
      if (field) {
        appearance.disconnect();
        type(field, "g");
        type(field, "f");
      }
    });
    appearance.observe(document.body, { childList: true, subtree: true });
  });
  await owner.getByRole("link", { name: "Cards", exact: true }).click();
  await expect(owner.getByRole("searchbox", { name: "Search cards" })).toHaveValue("gf");
  await expect(owner).toHaveURL("/cards?search=gf");
});

test("the main action opens by its shortcut; letters typed before its script has arrived are no shortcuts", async ({
  owner,
}) => {
  for (const path of ["/overview", "/cards"]) {
    await owner.goto(path);
    await comeToLife(owner);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await owner.route(SCRIPTS, async (route) => {
      await released;
      await route.continue();
    });
    const asked = owner.waitForRequest(SCRIPTS);
    await owner.keyboard.press("a");
    await asked;
    await owner.keyboard.type("gf");
    release();
    await expect(
      owner.getByRole("dialog", { name: "Create card: choose a cardholder" }),
    ).toBeVisible();
    await expect(owner).toHaveURL(path);
    await owner.unroute(SCRIPTS);
  }
});

test("a dialog is loaded once somebody points at its button, focuses it, or holds its key", async ({
  owner,
}) => {
  for (const [path, prepare] of [
    ["/cardholders", () => owner.getByRole("button", { name: "Create cardholder" }).hover()],
    ["/transactions", () => owner.getByRole("button", { name: "Filters" }).focus()],
    ["/overview", () => owner.keyboard.down("Control")],
  ] as const) {
    await owner.goto(path);
    await owner.waitForLoadState("networkidle");
    const asked = owner.waitForRequest(SCRIPTS);
    await prepare();
    await asked;
    await expect(owner.getByRole("dialog")).toHaveCount(0);
    await owner.keyboard.up("Control");
  }
});
