import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";

/** Nothing that axe objects to, wide and narrow, and nothing wider than a telephone. */
export async function expectSound(page: Page): Promise<void> {
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
