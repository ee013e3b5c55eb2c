import type { Page } from "@playwright/test";
import { callApi, expect, newCard, simulate, test, valueOf } from "./fixtures.ts";

const DAY_MS = 86_400_000;

function stripeOf(page: Page) {
  return page.getByRole("complementary", { name: "Environment" });
}

async function choose(page: Page, name: string): Promise<void> {
  await stripeOf(page).getByRole("button", { name: "Advance deadlines" }).click();
  await page.getByRole("menuitem", { name }).click();
  await expect(page.getByRole("menu")).toHaveCount(0);
}

/** A time as the field takes it, so many days from now. */
function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, "2026-01-31T10:00".length);
}

test("deadlines are advanced from the stripe, and what was due has expired", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 10_000 });
  await simulate(request, account, { cardId: card.id, type: "authorize", amount: 6_000 });
  await owner.goto(`/cards/${card.id}`);
  await expect(stripeOf(owner)).toContainText("Sandbox: no real money moves here");
  await expect(valueOf(owner, "Available")).toHaveText("$40.00");
  await choose(owner, "By 1 day");
  await expect(stripeOf(owner)).toContainText("Sandbox · deadlines 1 day ahead");
  await expect(valueOf(owner, "Available")).toHaveText("$40.00");
  await choose(owner, "By 1 week");
  await expect(stripeOf(owner)).toContainText("Sandbox · deadlines 8 days ahead");
  await expect(valueOf(owner, "Available")).toHaveText("$100.00");
  await choose(owner, "Back to real time");
  await expect(stripeOf(owner)).toContainText("Sandbox: no real money moves here");
});

test("deadlines are advanced to a moment later than the clock", async ({ owner }) => {
  await owner.goto("/overview");
  await choose(owner, "By 1 hour");
  await expect(stripeOf(owner)).toContainText("deadlines 1 hour ahead");
  await choose(owner, "To a date and time…");
  const dialog = owner.getByRole("dialog", { name: "Advance deadlines" });
  const field = dialog.getByLabel("Advance to");
  const action = dialog.getByRole("button", { name: "Advance", exact: true });
  for (const [days, sentence] of [
    [-1, "This field must be later than the clock"],
    [500, "This field must be at most 400 days later than the clock"],
  ] as const) {
    await field.fill(inDays(days));
    await action.click();
    await expect(dialog.getByText(sentence).first()).toBeVisible();
  }
  await field.fill(inDays(30));
  await action.click();
  await expect(dialog).toHaveCount(0);
  await expect(stripeOf(owner)).toContainText(/deadlines (?:29|30) days/u);
});

test("the way back to real time says what is in its way", async ({ owner, account, request }) => {
  const card = await newCard(request, account, { float: 100_000, balance: 10_000 });
  await callApi(request, account, {
    method: "POST",
    path: "/sandbox/clock/advance",
    body: { by_seconds: 60 },
  });
  await simulate(request, account, { cardId: card.id, type: "authorize", amount: 6_000 });
  await owner.goto("/overview");
  await choose(owner, "Back to real time");
  await expect(
    owner.getByText("The deadlines of 1 authorization were set ahead of real time."),
  ).toBeVisible();
  await expect(stripeOf(owner)).toContainText("deadlines 1 minute ahead");
});
