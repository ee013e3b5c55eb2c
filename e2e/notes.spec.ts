import type { APIRequestContext, Page } from "@playwright/test";
import { callApi, expect, newCard, simulate, test, toPageHeaders } from "./fixtures.ts";
import type { Account } from "./fixtures.ts";
import { join } from "./join.ts";
import { pressDisabled } from "./press-disabled.ts";

const COMMENT = "Called the holder.\nשלום, ברקוד 4711";

const timelineOf = (page: Page) => page.getByRole("region", { name: "Timeline" });

/** A purchase on a new card. */
async function buy(request: APIRequestContext, account: Account) {
  const card = await newCard(request, account, { float: 10_000, balance: 5_000 });
  const about = { cardId: card.id, type: "deduct", amount: 900 };
  return { card, id: (await simulate(request, account, about)).id };
}

test("by keyboard: a note on a card, which its timeline shows at once, with its author", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  await owner.goto(`/cards/${card.id}`);
  const button = timelineOf(owner).getByRole("button", { name: "Add note" });
  await button.focus();
  await owner.keyboard.press("Enter");
  const dialog = owner.getByRole("dialog", { name: "Add a note to this card" });
  const field = dialog.getByRole("textbox", { name: "Note" });
  await expect(field).toBeFocused();

  await owner.keyboard.press("Control+Enter");
  await expect(dialog.getByText("This field must not be empty.")).toBeVisible();
  await owner.keyboard.type("Called the holder.");
  await owner.keyboard.press("Enter");
  await owner.keyboard.insertText(COMMENT.split("\n").at(1) ?? "");
  await expect(dialog.getByText("At most 500 characters.")).toBeVisible();
  await owner.keyboard.press("Control+Enter");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();

  const newest = timelineOf(owner).getByRole("listitem").first();
  await expect(newest).toContainText("Note added");
  await expect(newest).toContainText("by Ada Winter");
  expect(await newest.getByText("Called the holder.").innerText()).toBe(COMMENT);
});

test("a note on a transaction is on its page, on its card, and at its cardholder, and not on its receipt", async ({
  owner,
  account,
  request,
}) => {
  const { card, id } = await buy(request, account);
  await owner.goto(`/transactions/${id}`);
  const notes = owner.getByRole("region", { name: "Notes" });
  await expect(notes.getByRole("listitem")).toHaveCount(0);
  await notes.getByRole("button", { name: "Add note" }).click();
  const dialog = owner.getByRole("dialog", { name: "Add a note to this transaction" });
  await dialog.getByRole("textbox", { name: "Note" }).fill("Charged twice");
  await dialog.getByRole("button", { name: "Add note" }).click();
  await expect(notes.getByText("Charged twice")).toBeVisible();
  await expect(notes.getByRole("button", { name: "Add note" })).toBeFocused();
  await expect(notes.getByText("by Ada Winter")).toBeVisible();
  await owner.emulateMedia({ media: "print" });
  await expect(notes).toBeHidden();
  await owner.emulateMedia({ media: null });

  for (const [path, region] of [
    [`/cards/${card.id}`, "Timeline"],
    [`/cardholders/${card.userId}`, "Activity"],
  ] as const) {
    await owner.goto(path);
    const entry = owner.getByRole("region", { name: region }).getByRole("listitem").first();
    await expect(entry).toContainText("Charged twice");
    await expect(entry.getByRole("link", { name: "to a transaction" })).toHaveAttribute(
      "href",
      `/transactions/${id}`,
    );
  }
  await owner.goto("/settings/audit-log");
  await expect(owner.getByText(/^Ada Winter added a note to a transaction of /u)).toBeVisible();
});

test("a viewer reads notes and is told why they cannot add one", async ({
  owner,
  account,
  request,
  browser,
}) => {
  const { card, id } = await buy(request, account);
  await callApi(request, account, {
    method: "POST",
    path: `/cards/${card.id}/notes`,
    body: { comment: "For everyone", transaction_id: id },
  });
  const viewer = await join(owner, browser, "viewer");
  for (const path of [`/cards/${card.id}`, `/transactions/${id}`]) {
    await viewer.goto(path);
    await expect(viewer.getByText("For everyone")).toBeVisible();
    const button = viewer.getByRole("button", {
      name: /^Add note: Only owners, admins, and operators can do this/u,
    });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await pressDisabled(button);
    await expect(viewer.getByRole("dialog")).toHaveCount(0);
  }
});

test("nobody can write on the card of an erased cardholder, and everyone is told why", async ({
  owner,
  account,
  request,
}) => {
  const { card, id } = await buy(request, account);
  await callApi(request, account, { method: "POST", path: `/cards/${card.id}/close` });
  const path = `/card-integrators/card-users/${card.userId}/erase`;
  await owner.request.post(`/api${path}`, { headers: await toPageHeaders(owner.request) });
  for (const [page, names] of [
    [`/cards/${card.id}`, ["Add note", "Edit metadata"]],
    [`/transactions/${id}`, ["Add note"]],
  ] as const) {
    await owner.goto(page);
    for (const name of names) {
      const button = owner.getByRole("button", {
        name: `${name}: This cardholder was erased, for good.`,
      });
      await expect(button).toHaveAttribute("aria-disabled", "true");
    }
  }
});

test("a long note is whole on the narrowest screen, and so is one without a space", async ({
  owner,
  account,
  request,
}) => {
  const { card, id } = await buy(request, account);
  const comments = ["x".repeat(500), "The parcel came late. ".repeat(22).trim()];
  for (const comment of comments) {
    await callApi(request, account, {
      method: "POST",
      path: `/cards/${card.id}/notes`,
      body: { comment, transaction_id: id },
    });
  }
  await owner.setViewportSize({ width: 320, height: 640 });
  for (const path of [`/cards/${card.id}`, `/transactions/${id}`, `/transactions?open=${id}`]) {
    await owner.goto(path);
    for (const comment of comments) {
      const text = owner.getByText(comment);
      await expect(text).toBeVisible();
      const isWhole = await text.evaluate(
        (element) =>
          element.scrollWidth <= element.clientWidth &&
          element.getBoundingClientRect().right <= document.documentElement.clientWidth,
      );
      expect(isWhole).toBe(true);
    }
  }
});
