import type { Page } from "@playwright/test";
import { whileSuspended } from "./database.ts";
import {
  callApi,
  expect,
  expectProgress,
  newCard,
  readCard,
  selectAll,
  test,
  topUp,
} from "./fixtures.ts";
import { expectAllSound } from "./sound.ts";

test("the screens of bulk jobs, their dialogs, and the one that credits many are sound", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 10_000);
  const cards = [await newCard(request, account), await newCard(request, account)] as const;
  await callApi(request, account, { method: "POST", path: `/cards/${cards[1].id}/close` });
  const items = cards.map(({ id }) => ({ card_id: id }));
  const { data } = await callApi(request, account, {
    method: "POST",
    path: "/bulk",
    body: { operation: "freeze", reason: "lost", items },
  });
  await expectAllSound(owner, [
    ["/cards", selectToFreeze],
    "/cards/bulk",
    `/cards/bulk/${data.id}`,
    [`/cards/bulk/${data.id}?state=refused`, openUndo],
    `/cards/bulk/${crypto.randomUUID()}`,
    ["/cards/credit", (page) => checkRows(page, cards[0].id)],
  ]);
});

test("a job says whether some of its cards were refused, or all", async ({
  owner,
  account,
  request,
}) => {
  const [open, closed] = [await newCard(request, account), await newCard(request, account)];
  await callApi(request, account, { method: "POST", path: `/cards/${closed.id}/close` });
  for (const [cards, word] of [
    [[open, closed], "Completed, some refused"],
    [[closed], "Completed, all refused"],
  ] as const) {
    const { data } = await callApi(request, account, {
      method: "POST",
      path: "/bulk",
      body: { operation: "freeze", items: cards.map(({ id }) => ({ card_id: id })) },
    });
    await owner.goto(`/cards/bulk/${data.id}`);
    await expect(owner.getByText(word)).toBeVisible();
  }
});

async function selectToFreeze(page: Page): Promise<void> {
  await selectAll(page, 2);
  await page.getByRole("button", { name: "Freeze", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

async function openUndo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

async function checkRows(page: Page, cardId: string): Promise<void> {
  await page.getByRole("textbox", { name: "Rows" }).fill(`${cardId},1\n4242,2`);
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page.getByRole("region", { name: "Left out: 1 row" })).toBeVisible();
}

test("a job that waits can be stopped; what it has not done stays as it is, and says the amount", async ({
  owner,
  account,
  request,
}) => {
  await topUp(request, account, 10_000);
  const card = await newCard(request, account);
  const unknown = crypto.randomUUID();
  await whileSuspended(account.integratorId, async () => {
    const { data } = await callApi(request, account, {
      method: "POST",
      path: "/bulk",
      body: {
        operation: "credit",
        items: [
          { card_id: card.id, amount: 500 },
          { card_id: unknown, amount: 300 },
        ],
      },
    });
    await owner.goto(`/cards/bulk/${data.id}`);
    await expectProgress(owner, "Credited 0 of 2");
    await owner.getByRole("button", { name: "Stop" }).click();
    await expect(owner.getByText("Job stopped. What was done stays.")).toBeVisible();
    await expectProgress(owner, "Credited 0 of 2 · 2 canceled");
    const row = owner.getByRole("row").filter({ hasText: unknown });
    await expect(row.getByRole("cell").last()).toHaveText("$3.00");
  });
  expect((await readCard(request, account, card.id)).balance).toBe(0);
});
