import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import axe from "axe-core";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const WIDTHS = [1_280, 375] as const;
const THEMES = ["light", "dark"] as const;
const HEIGHT = 812;

/**
 * Expects that axe objects to nothing, in either theme and at each width, and that nothing is cut off. The page ends as
 * it was: light, and as wide as a laptop.
 */
export async function expectSound(page: Page, widths: readonly number[] = WIDTHS): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, includeHidden: true })).toBeVisible();
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      await endTransitions(page);
      await expect(page).toHaveTitle(/\S/u);
      expect([page.url(), width, colorScheme, await listViolations(page)]).toEqual([
        page.url(),
        width,
        colorScheme,
        [],
      ]);
    }
    expect([page.url(), width, await measureOverflow(page)]).toEqual([page.url(), width, 0]);
  }
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
  await page.emulateMedia({ colorScheme: "light" });
}

/** Colors fade from one theme into the other, and those that are inherited fade once more after it. */
async function endTransitions(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const fading = document.getAnimations().filter((each) => each instanceof CSSTransition);
    for (const transition of fading) {
      transition.finish();
    }
    return fading.length === 0;
  });
}

/** What axe objects to: each rule, with the elements that break it. */
export async function listViolations(page: Page): Promise<string[]> {
  // axe stays in a page that it was put into. Compiling it again for each width and theme would take long.
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axe.source);
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
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
