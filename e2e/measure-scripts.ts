import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { comeToLife } from "./fixtures.ts";

/** The compressed scripts that a page loads until nothing more is asked for, in bytes. */
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

/**
 * The compressed scripts that a page's HTML names, in bytes: its first load, before what is loaded once the page has settled.
 * @param page shows a document of the same origin.
 */
export async function measureFirstScripts(page: Page, path: string): Promise<number> {
  const html = await (await page.request.get(path)).text();
  const addresses = await page.evaluate((text) => {
    const found = new DOMParser()
      .parseFromString(text, "text/html")
      .querySelectorAll("script[src]:not([nomodule]), link[href][as=script]");
    return [
      ...new Set([...found].map((each) => each.getAttribute("src") ?? each.getAttribute("href"))),
    ];
  }, html);
  let bytes = 0;
  for (const address of addresses) {
    const script = await page.request.get(address ?? "");
    bytes += gzipSync(await script.body()).byteLength;
  }
  return bytes;
}
