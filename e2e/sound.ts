import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import { addDays } from "#lib/base/time-zone.ts";

/** The minified script: each page compiles it anew, and the other one is more than twice as long. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

declare global {
  interface Window {
    axe: typeof axe;
  }
}

type View = readonly [theme: "light" | "dark", width: number];

/** Each theme once, and each width. */
const VIEWS: readonly View[] = [
  ["light", 1_280],
  ["dark", 375],
];
const HEIGHT = 812;

/**
 * Expects that axe objects to nothing and nothing is cut off, in each theme once. The page ends as it was: light, and as
 * wide as a laptop.
 */
export async function expectSound(page: Page, views: readonly View[] = VIEWS): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, includeHidden: true })).toBeVisible();
  for (const [colorScheme, width] of views) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await endTransitions(page);
    await expect(page).toHaveTitle(/\S/u);
    const found = { violations: await listViolations(page), beyond: await measureOverflow(page) };
    const place = [page.url(), width, colorScheme];
    expect([...place, found]).toEqual([...place, { violations: [], beyond: 0 }]);
  }
  await page.setViewportSize({ width: 1_280, height: HEIGHT });
  await page.emulateMedia({ colorScheme: "light" });
}

/** Colors fade from one theme into the other, and those that are inherited fade once more after it. A dialog with a field is hidden until an on-screen keyboard would be there. */
async function endTransitions(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const fading = document.getAnimations().filter((each) => each instanceof CSSTransition);
    for (const transition of fading) {
      transition.finish();
    }
    const backdrops = [...document.querySelectorAll(".backdrop")];
    return fading.length === 0 && backdrops.every((each) => getComputedStyle(each).opacity === "1");
  });
}

/** What axe objects to: each rule, with the elements that break it. */
export async function listViolations(page: Page): Promise<string[]> {
  // axe stays in a page that it was put into. Compiling it again for each width and theme would take long.
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(AXE);
  }
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(
      // What was read out to a screen reader stays in the page for some seconds, and may speak of what has gone.
      { exclude: ["[data-live-announcer]"] },
      {
        // Other results would list every element of the page.
        resultTypes: ["violations"],
        // Next takes the title away and puts it back while it refreshes a page: `expectSound` waits for it instead.
        rules: { "document-title": { enabled: false } },
      },
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}

/** How many pixels of the page are beyond its right edge. */
function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** What is done on a page before it is looked at. */
type Place = readonly [path: string, act?: (page: Page) => Promise<unknown>];

/** Each of these pages is sound. */
export async function expectAllSound(
  page: Page,
  places: readonly (string | Place)[],
): Promise<void> {
  for (const place of places) {
    const [path, act] = typeof place === "string" ? ([place] as const) : place;
    await page.goto(path);
    await act?.(page);
    if (path.includes("act=")) {
      await expect(page.getByRole("dialog")).toBeVisible();
    }
    await expectSound(page);
  }
}

/** Shows the declines of two months as a chart and as a table. */
export async function showDeclines(page: Page): Promise<void> {
  const today = new Date().toISOString().slice(0, "2026-01-31".length);
  await page.goto(`/insights?from=${addDays(today, -60)}&to=${today}`);
  await page.getByText("Show as a table").click();
}
