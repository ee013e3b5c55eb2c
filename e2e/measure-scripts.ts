import type { Page } from "@playwright/test";
import { comeToLife } from "./fixtures.ts";

/** The compressed scripts of a page's first load, in bytes. */
export async function measureScripts(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await comeToLife(page);
  await page.waitForLoadState("networkidle");
  return page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes(".js"))
      .reduce(
        (sum, entry) =>
          sum + (entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0),
        0,
      ),
  );
}
