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
  return addUp(page, await listFirstScripts(page, path));
}

/** The compressed scripts that a page loads by itself once it has settled, in bytes. */
export async function measureIdleScripts(page: Page, path: string): Promise<number> {
  const first = new Set(await listFirstScripts(page, path));
  await page.goto(path);
  await comeToLife(page);
  await page.waitForLoadState("networkidle");
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(({ pathname }) => pathname.endsWith(".js"))
      .map(({ pathname, search }) => `${pathname}${search}`),
  );
  return addUp(
    page,
    [...new Set(loaded)].filter((address) => !first.has(address)),
  );
}

async function listFirstScripts(page: Page, path: string): Promise<string[]> {
  const html = await (await page.request.get(path)).text();
  return page.evaluate((text) => {
    const found = new DOMParser()
      .parseFromString(text, "text/html")
      .querySelectorAll("script[src]:not([nomodule]), link[href][as=script]");
    const addresses = [...found].flatMap(
      (each) => each.getAttribute("src") ?? each.getAttribute("href") ?? [],
    );
    return [...new Set(addresses)];
  }, html);
}

async function addUp(page: Page, addresses: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const address of addresses) {
    const script = await page.request.get(address);
    bytes += gzipSync(await script.body()).byteLength;
  }
  return bytes;
}
