import type { APIRequestContext, Page } from "@playwright/test";
import {
  callApi,
  comeToLife,
  expect,
  newCard,
  register,
  signIn,
  fillSignIn,
  test,
  topUp,
} from "./fixtures.ts";
import type { Account } from "./fixtures.ts";
import { hurry } from "./hurry.ts";

/** Two accounts in two tabs of one browser: the first tab's page is left open while the second one signs in. */

const OTHER_ACCOUNT = "You signed in to another account in this browser";

/** Keeps a page from refreshing by itself, as a tab in the background does. */
async function keepInBackground(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(document, "hidden", { get: () => true });
  });
}

/** Another account, with a card for Mei Tanaka; the first one gets a card for Lin Osei. */
async function registerOther(request: APIRequestContext, account: Account): Promise<Account> {
  await newCard(request, account, { name: "Lin Osei" });
  const other = await register(request);
  await newCard(request, other, { name: "Mei Tanaka" });
  return other;
}

/** What an account has: everything that a page of another account could change. */
async function readAll(request: APIRequestContext, account: Account): Promise<unknown[]> {
  const paths = ["/card-integrators/me", "/card-integrators/float", "/cards", "/events"];
  return Promise.all(paths.map((path) => callApi(request, account, { method: "GET", path })));
}

test("a dialog that was open moves no funds of the account that signed in since, and says so", async ({
  account,
  owner,
  request,
}) => {
  const card = await newCard(request, account, { float: 50_000 });
  const other = await register(request);
  await topUp(request, other, 50_000);
  await owner.goto(`/cards/${card.id}`);
  await owner.getByRole("button", { name: "Credit", exact: true }).click();
  const dialog = owner.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /^Amount/u }).fill("20");
  await signIn(owner.request, other);
  const before = [await readAll(request, account), await readAll(request, other)];
  const refused = owner.waitForResponse((response) => response.status() === 409);
  await dialog.getByRole("button", { name: /^Credit/u }).click();
  expect(await (await refused).json()).toMatchObject({ code: "session_changed" });
  await expect(dialog.getByRole("alert")).toContainText(OTHER_ACCOUNT);
  await expect(dialog.getByRole("alert")).toContainText("Nothing was changed.");
  expect([await readAll(request, account), await readAll(request, other)]).toEqual(before);

  await dialog.getByRole("button", { name: "Reload page" }).click();
  await expect(owner.getByText("We couldn't find that card.")).toBeVisible();
});

test("a form keeps what was typed, and is saved once its own person has signed in again", async ({
  account,
  owner,
  request,
}) => {
  const other = await register(request);
  await owner.goto("/settings/account");
  await owner.getByRole("textbox", { name: /^Business address/u }).fill("9 Quay Street");
  await signIn(owner.request, other);
  await owner.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByRole("alert").getByText(OTHER_ACCOUNT)).toBeVisible();
  const me = { method: "GET", path: "/card-integrators/me" };
  expect((await callApi(request, other, me)).data.business_address).toBe("1 Harbour Street");

  await signIn(owner.request, account);
  await owner.getByRole("button", { name: "Save changes" }).click();
  await expect(owner.getByText("Changes saved")).toBeVisible();
  expect((await callApi(request, account, me)).data.business_address).toBe("9 Quay Street");
  expect((await callApi(request, other, me)).data.business_address).toBe("1 Harbour Street");
});

test("the palette finds nothing of the other account, and says why", async ({
  account,
  owner,
  request,
}) => {
  const other = await registerOther(request, account);
  await owner.goto("/settings/security");
  await signIn(owner.request, other);
  await owner.keyboard.press("Control+k");
  await owner.getByRole("searchbox", { name: "Search" }).fill("Tanaka");
  const palette = owner.getByRole("dialog", { name: "Search" });
  await expect(palette.getByRole("alert")).toContainText(OTHER_ACCOUNT);
  await expect(owner.getByText("Mei Tanaka")).toHaveCount(0);
});

test("a list's export downloads nothing, and says why", async ({ account, owner, request }) => {
  const other = await registerOther(request, account);
  await keepInBackground(owner);
  let downloads = 0;
  owner.on("download", () => {
    downloads += 1;
  });
  for (const path of ["/cards", "/transactions", "/float"]) {
    await signIn(owner.request, account);
    await owner.goto(path);
    await signIn(owner.request, other);
    const link = owner.getByRole("link", { name: "Export CSV" });
    await link.click();
    await expect(owner.getByText(`${OTHER_ACCOUNT}. Nothing was downloaded.`)).toBeVisible();
    expect([path, downloads, new URL(owner.url()).pathname]).toEqual([path, 0, path]);
    const direct = await owner.request.get((await link.getAttribute("href")) ?? "");
    expect(direct.status()).toBe(409);
    expect(await direct.text()).not.toContain("Tanaka");
  }
});

/** Reports when the present document shows this text. Once another document is loaded, nothing is reported any more. */
async function watchFor(page: Page, text: string): Promise<{ isShown: () => boolean }> {
  let isShown = false;
  await page.exposeFunction("reportShown", () => {
    isShown = true;
  });
  await page.evaluate((watched) => {
    const look = () => {
      if (document.body.textContent.includes(watched)) {
        (window as unknown as { reportShown: () => void }).reportShown();
      }
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    look();
  }, text);
  return { isShown: () => isShown };
}

test("a navigation loads the other account's page as a document of its own", async ({
  account,
  owner,
  request,
}) => {
  const other = await registerOther(request, account);
  await keepInBackground(owner);
  await owner.goto("/settings/security");
  const watched = await watchFor(owner, "Mei Tanaka");
  await signIn(owner.request, other);
  const loaded = owner.waitForEvent("load");
  await owner.getByRole("link", { name: "Cards", exact: true }).click();
  await loaded;
  await expect(owner.getByRole("row", { name: /Mei Tanaka/u })).toBeVisible();
  await expect(owner.getByText("Lin Osei")).toHaveCount(0);
  expect(watched.isShown()).toBe(false);
});

test("a page that refreshes itself becomes the other account's as a document of its own", async ({
  account,
  owner,
  request,
}) => {
  const other = await registerOther(request, account);
  await hurry(owner);
  for (const path of ["/cards", "/developers/api-log"]) {
    // A page that still refreshes itself would become this account's, too, and end what goes to the next.
    await owner.goto("about:blank");
    await signIn(owner.request, account);
    await owner.goto(path);
    const loaded = owner.waitForEvent("load");
    await signIn(owner.request, other);
    await loaded;
    await comeToLife(owner);
  }
  await owner.goto("/cards");
  await expect(owner.getByRole("row", { name: /Mei Tanaka/u })).toBeVisible();
});

test("a page goes on after its person has signed out and in again in another tab", async ({
  account,
  owner,
  request,
}) => {
  const card = await newCard(request, account);
  await owner.goto(`/cards/${card.id}`);
  await owner.getByRole("button", { name: "Freeze", exact: true }).click();
  const tab = await owner.context().newPage();
  await tab.goto("/overview");
  await comeToLife(tab);
  await tab.getByRole("button", { name: /menu$/u }).click();
  await tab.getByRole("menuitem", { name: "Sign out" }).click();
  await tab.waitForURL("**/sign-in*");
  await fillSignIn(tab, account);
  await owner.getByRole("dialog").getByRole("button", { name: "Freeze card" }).click();
  await expect(owner.getByText("Frozen by Ada Winter")).toBeVisible();
});

test("the documentation sends no request to the other account, and says why", async ({
  owner,
  request,
}) => {
  const other = await register(request);
  await owner.goto("/docs/api/listCards");
  await signIn(owner.request, other);
  const form = owner.getByRole("region", { name: "Try it" });
  await form.getByRole("button", { name: "Set up the request" }).click();
  await form.getByRole("button", { name: "Send request" }).click();
  await expect(form.getByText("Response: 409")).toBeVisible();
  await expect(form.getByRole("link", { name: "What session_changed means" })).toBeVisible();
});
