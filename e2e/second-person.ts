import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Has moves of $100 and more need a second person, on the screen. */
export async function requireSecondPerson(owner: Page): Promise<void> {
  await owner.goto("/settings/account");
  await owner.getByRole("button", { name: "Edit second person" }).click();
  const dialog = owner.getByRole("dialog", { name: "Second person" });
  await dialog.getByRole("switch", { name: /^Require somebody else/u }).click();
  await dialog.getByRole("textbox", { name: "Threshold" }).fill("100");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toHaveCount(0);
}
