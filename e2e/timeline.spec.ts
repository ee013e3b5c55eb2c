import { callApi, expect, newCard, simulate, test } from "./fixtures.ts";

test("a timeline shows one type of entry, also after a reload, and request IDs on demand", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000, balance: 5_000 });
  await simulate(request, account, { cardId: card.id, type: "deduct", amount: 900 });
  await callApi(request, account, { path: `/cards/${card.id}/freeze` });
  const note = { method: "POST", path: `/cards/${card.id}/notes`, body: { comment: "Called" } };
  await callApi(request, account, note);
  await owner.goto(`/cards/${card.id}`);
  const timeline = owner.getByRole("region", { name: "Timeline" });
  const entries = timeline.getByRole("list").last().getByRole("listitem");
  const requestIds = timeline.getByRole("button", { name: "Copy request ID" });
  const kinds = owner.getByRole("navigation", { name: "Timeline" });
  await expect(entries).toHaveText([
    /Note added/u,
    /Card frozen/u,
    /Purchase/u,
    /Credit/u,
    /created/u,
  ]);
  await expect(requestIds).toHaveCount(0);

  await timeline.getByRole("link", { name: "Show request IDs" }).click();
  await expect(requestIds).toHaveCount(5);
  await kinds.getByRole("link", { name: "Money" }).click();
  await expect(entries).toHaveText([/Purchase/u, /Credit/u]);
  await owner.reload();
  await expect(entries).toHaveText([/Purchase/u, /Credit/u]);
  await expect(kinds.getByRole("link", { name: "Money" })).toHaveAttribute("aria-current", "true");
  await expect(
    timeline.getByRole("button", { name: /^Copy what happened to this card: The summary covers/u }),
  ).toHaveAttribute("aria-disabled", "true");
  await expect(requestIds).toHaveCount(2);
  await timeline.getByRole("link", { name: "Hide request IDs" }).click();
  await expect(requestIds).toHaveCount(0);

  await kinds.getByRole("link", { name: "Status" }).click();
  await expect(entries).toHaveText([/Card frozen/u, /created/u]);
  await kinds.getByRole("link", { name: "Refused" }).click();
  await expect(timeline.getByText("No refused requests")).toBeVisible();
  await kinds.getByRole("link", { name: "All", exact: true }).click();
  await expect(entries).toHaveCount(5);
});

test("the pages of one type of entry follow each other, and the page stays where it is", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 10_000 });
  for (let round = 0; round < 26; round += 1) {
    const body = { comment: `Note ${round}` };
    await callApi(request, account, { method: "POST", path: `/cards/${card.id}/notes`, body });
    const credit = { card_id: card.id, amount: 1 };
    await callApi(request, account, { path: "/cards/credit/balance", body: credit });
  }
  await owner.setViewportSize({ width: 375, height: 812 });
  await owner.goto(`/cards/${card.id}`);
  const timeline = owner.getByRole("region", { name: "Timeline" });
  const notes = timeline.getByRole("link", { name: "Notes" });
  const top = async () => Math.round((await notes.boundingBox())?.y ?? 0);
  await owner.evaluate(() => window.scrollTo(0, 400));
  const before = await top();
  await notes.click();
  await expect(notes).toHaveAttribute("aria-current", "true");
  await expect(timeline.getByText("Note 25", { exact: true })).toBeVisible();
  expect(await top()).toBe(before);
  await timeline.getByRole("link", { name: "Next" }).click();
  await expect(timeline.getByText("Note 0", { exact: true })).toBeVisible();
  await expect(timeline.getByRole("listitem")).toHaveCount(1);
});
