import { expect } from "@playwright/test";
import type { Locator } from "@playwright/test";

/**
 * Clicks what is disabled in name only, as `aria-disabled` is. Playwright would wait until it is enabled, and a forced
 * click waits for nothing: not even until a sheet has come up from below the screen.
 */
export async function pressDisabled(button: Locator): Promise<void> {
  // Retries, because a button is replaced once the script is loaded that explains why it is disabled.
  await expect(async () => {
    // Waits until it stands still.
    await button.scrollIntoViewIfNeeded();
    await button.click({ force: true });
  }).toPass();
}
