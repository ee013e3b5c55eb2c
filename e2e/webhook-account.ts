import { callApi, expect } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";
import type { Locator, Page } from "@playwright/test";

/** Sets the account's webhook URL. */
export async function setWebhookUrl(page: Page, account: Account, url: string): Promise<void> {
  await callApi(page.request, account, {
    path: "/card-integrators/update",
    body: { webhook_url: url },
  });
}

/** Sends a test webhook. */
export async function sendTest(page: Page, account: Account): Promise<void> {
  await callApi(page.request, account, { method: "POST", path: "/webhooks/test" });
}

export const panel = (page: Page, name: string): Locator =>
  page.getByRole("region", { name, exact: true });

/** Opens the newest delivery of an event from the list. */
export async function openDelivery(page: Page, event: string): Promise<void> {
  await page.goto(`/developers/webhooks?event=${event}`);
  const row = page.getByRole("table", { name: "Deliveries" }).getByRole("row", { name: event });
  await row.first().click();
  await expect(page).toHaveURL(/\/deliveries\//u);
  await expect(page.getByRole("heading", { level: 1, name: event })).toBeVisible();
}

/** The webhooks that the test inbox has received. */
export const received = (page: Page): Locator =>
  page.getByRole("list", { name: "Received webhooks" }).getByRole("listitem");

/** Chooses the test inbox for webhooks. */
export async function useInbox(page: Page): Promise<void> {
  await page.goto("/developers/webhooks");
  await page.getByRole("button", { name: "Use a test inbox" }).click();
  await expect(received(page)).toHaveCount(2);
}

/** The URL of the test inbox. */
export async function findInbox(page: Page, account: Account): Promise<string> {
  return (await callApi(page.request, account, { method: "GET", path: "/sandbox/inbox" })).url;
}
