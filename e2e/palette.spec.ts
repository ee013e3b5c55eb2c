import type { BrowserContext, Page } from "@playwright/test";
import { comeToLife, expect, newCard, test } from "./fixtures.ts";

/** ⌘K is safe to type into without looking: Enter follows what stands first for the text in the box, or does nothing. */

const SOURCES = [
  "**/api/cards?search=*",
  "**/api/card-integrators/card-users?search=*",
  "**/docs/contents.json",
];
const DELAYS_MS = [0, 1_000, 4_000];
const KEYS_MS = [40, 60, 120];
/** How long somebody waits between the last letter and Enter. */
const HESITATIONS_MS = [0, 300, 1_500];

/** A page as early as it can be seen, long before React has run. */
async function openEarly(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/cards", { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/** Delays each source's answers, the first source by the first delay. */
async function delay(page: Page, delaysMs: readonly number[]): Promise<void> {
  for (const [place, source] of SOURCES.entries()) {
    await page.route(source, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delaysMs[place]));
      // The search may have been canceled meanwhile.
      await route.continue().catch(() => undefined);
    });
  }
}

function* ordersOf(delays: readonly number[]): Generator<number[]> {
  if (delays.length === 0) {
    yield [];
  }
  for (const delayMs of delays) {
    for (const rest of ordersOf(delays.filter((other) => other !== delayMs))) {
      yield [delayMs, ...rest];
    }
  }
}

test("no letter is lost from the first Ctrl+K on, before the page's scripts have run", async ({
  owner,
}) => {
  for (const keyMs of [0, ...KEYS_MS]) {
    const page = await openEarly(owner.context());
    await page.keyboard.press("Control+k");
    await page.keyboard.type("mei tanaka", { delay: keyMs });
    const box = page.getByRole("dialog", { name: "Search" }).getByRole("searchbox");
    await expect(box).toHaveValue("mei tanaka");
    await comeToLife(page);
    await expect(box).toHaveValue("mei tanaka");
    await expect(box).toBeFocused();
    await page.close();
  }
});

test("whatever is typed, and whichever source answers last, Enter opens what stood first for the text, or nothing", async ({
  owner,
  account,
  request,
}) => {
  test.slow();
  const mei = await newCard(request, account, { name: "Mei Tanaka" });
  const owen = await newCard(request, account, { name: "Owen Walsh" });
  const attempts = [...ordersOf(DELAYS_MS)].flatMap((delaysMs, order) =>
    KEYS_MS.map((keyMs) => ({
      delaysMs,
      keyMs,
      hesitationMs: HESITATIONS_MS[order % HESITATIONS_MS.length],
    })),
  );
  for (const [turn, { delaysMs, keyMs, hesitationMs = 0 }] of attempts.entries()) {
    const page = await owner.context().newPage();
    await delay(page, delaysMs);
    await page.goto("/cards", { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("mei", { delay: keyMs });
    const isReplaced = turn % 2 === 1;
    if (isReplaced) {
      await page.waitForTimeout(hesitationMs);
      await page.keyboard.press("Control+a");
      await page.keyboard.type("owen", { delay: keyMs });
    }
    await page.waitForTimeout(hesitationMs);
    const wanted = isReplaced ? owen : mei;
    if (turn % 3 === 2) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    const opened = new Set([`/cards/${wanted.id}`, `/cards/${wanted.id}?act=freeze`]);
    const opens = (url: URL) => opened.has(`${url.pathname}${url.search}`);
    if (await page.getByRole("dialog", { name: "Search" }).isVisible()) {
      // It was too early, so nothing happened. Whoever looks first opens the card; results of an earlier text may still be
      // there, but none of these is selected.
      await expect(page.getByRole("option", { selected: true })).toHaveAccessibleName(
        new RegExp(`^(?:Freeze )?${wanted.name}`, "u"),
      );
      expect(new URL(page.url()).pathname).toBe("/cards");
      await page.keyboard.press("Enter");
    }
    await page.waitForURL(opens);
    await page.close();
  }
});

test("results of another text stay visible for a moment, but nothing follows them", async ({
  owner,
  account,
  request,
}) => {
  await newCard(request, account, { name: "Mei Tanaka" });
  const owen = await newCard(request, account, { name: "Owen Walsh" });
  await owner.goto("/overview");
  await owner.keyboard.press("Control+k");
  await owner.keyboard.type("mei");
  const first = owner.getByRole("option").first();
  await expect(first).toHaveAccessibleName(/^Mei Tanaka/u);
  await expect(first).toHaveAttribute("aria-selected", "true");
  await delay(owner, [2_000, 0, 0]);
  await owner.keyboard.press("Control+a");
  await owner.keyboard.insertText("owen");
  const stale = owner.locator("[role=listbox][inert]");
  await expect(stale.getByText(/^Freeze Mei Tanaka/u)).toBeVisible();
  await owner.keyboard.press("ArrowDown");
  await owner.keyboard.press("Enter");
  await owner.mouse.click(640, 160);
  await expect(first).toHaveAccessibleName(/^Owen Walsh/u);
  await expect(owner).toHaveURL("/overview");
  await owner.keyboard.press("Enter");
  await owner.waitForURL(`**/cards/${owen.id}`);
});

test("the active result stays when a later source answers below it", async ({
  owner,
  account,
  request,
}) => {
  await newCard(request, account, { name: "Mei Tanaka" });
  await owner.goto("/overview");
  await delay(owner, [0, 1_500, 0]);
  await owner.keyboard.press("Control+k");
  await owner.keyboard.type("mei tanaka");
  const active = owner.getByRole("option", { selected: true });
  await expect(active).toHaveAccessibleName(/^Mei Tanaka/u);
  await owner.keyboard.press("ArrowDown");
  await expect(active).toHaveAccessibleName(/^Freeze Mei Tanaka/u);
  await expect(owner.getByRole("group", { name: "Cardholders" })).toBeVisible();
  await expect(active).toHaveAccessibleName(/^Freeze Mei Tanaka/u);
  // A guide that only sounds like the name is none of the results.
  await expect(owner.getByRole("group", { name: "Documentation" })).toHaveCount(0);
});

test("on a layout without Latin letters, a shortcut is where its key is", async ({ owner }) => {
  await owner.goto("/overview");
  // The keys of a sequence go together, so that a busy machine puts no pause between them.
  const press = (...keys: { key: string; code: string; ctrlKey?: boolean }[]) =>
    owner.evaluate((inits) => {
      for (const init of inits) {
        const event = new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
      }
    }, keys);
  await press({ key: "л", code: "KeyK", ctrlKey: true });
  await expect(owner.getByRole("dialog", { name: "Search" })).toBeVisible();
  await owner.keyboard.press("Escape");
  await expect(owner.getByRole("dialog", { name: "Search" })).toBeHidden();
  await press({ key: "п", code: "KeyG" }, { key: "с", code: "KeyC" });
  await owner.waitForURL("**/cards");
});
