import type { Page } from "@playwright/test";
import { expect, newCard, test } from "./fixtures.ts";
import { join } from "./join.ts";
import { requireSecondPerson } from "./second-person.ts";
import { expectAllSound } from "./sound.ts";

test("a request that waits for somebody else, to whoever asked and to whoever decides", async ({
  owner,
  account,
  request,
  browser,
}) => {
  const card = await newCard(request, account, { float: 100_000 });
  const noor = await join(owner, browser, "owner");
  await requireSecondPerson(owner);
  await owner.goto(`/cards/${card.id}?act=credit`);
  const credit = owner.getByRole("dialog", { name: /^Credit .+ •••• /u });
  await credit.getByRole("textbox", { name: "Amount" }).fill("250");
  await credit.getByRole("button", { name: "Credit $250.00" }).click();
  await owner.waitForURL("**/approvals/*");
  const page = new URL(owner.url()).pathname;
  await expectAllSound(owner, ["/approvals?own", page]);
  await expectAllSound(noor, ["/overview", "/approvals", page, [page, openRejection]]);
});

async function openRejection(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}
