import type { Page } from "@playwright/test";
import { callApi, expect, newCard, test } from "./fixtures.ts";

const LIST = "/settings/audit-log";

const fieldOf = (page: Page) => page.getByRole("searchbox", { name: "Search changes" });
const changesOf = (page: Page) => page.getByRole("list", { name: "Changes" }).getByRole("listitem");

test.beforeEach(async ({ request, account }) => {
  const mori = await newCard(request, account, { name: "Aiko Mori", float: 1_000, balance: 500 });
  await newCard(request, account, { name: "Zoë Walsh" });
  await callApi(request, account, { path: `/cards/${mori.id}/freeze`, body: {} });
});

test("the audit log is searched by words, with the mouse; the search stays in the address", async ({
  owner,
}) => {
  await owner.goto(LIST);
  await fieldOf(owner).click();
  await fieldOf(owner).fill("aiko");
  // Registered, created, credited, frozen.
  await expect(changesOf(owner)).toHaveCount(4);
  await expect(owner).toHaveURL(/search=aiko/u);
  await fieldOf(owner).fill("frozen MORI");
  await expect(changesOf(owner)).toHaveCount(1);
  await expect(changesOf(owner)).toContainText("Aiko Mori");
  await owner.reload();
  await expect(changesOf(owner)).toHaveCount(1);
  const file = owner.waitForEvent("download");
  await owner.getByRole("link", { name: "Export CSV" }).click();
  expect(new URL((await file).url()).searchParams.get("search")).toBe("frozen MORI");

  await fieldOf(owner).fill("zoe frozen");
  await expect(owner.getByText("No changes found")).toBeVisible();
  await owner.getByRole("button", { name: "Clear search" }).click();
  await expect(fieldOf(owner)).toBeFocused();
  await expect(changesOf(owner).filter({ hasText: "Zoë Walsh" })).not.toHaveCount(0);
});

test("on a phone the audit log is searched with the keyboard", async ({ owner }) => {
  await owner.setViewportSize({ width: 375, height: 812 });
  await owner.goto(LIST);
  await fieldOf(owner).focus();
  await owner.keyboard.type("credited ai");
  await expect(changesOf(owner)).toHaveCount(1);
  await expect(changesOf(owner).first()).toBeInViewport();
  await owner.keyboard.press("Escape");
  await expect(owner).not.toHaveURL(/search=/u);
  await expect(changesOf(owner).nth(4)).toBeVisible();
});
