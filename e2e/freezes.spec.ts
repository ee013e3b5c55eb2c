import { openFreeze, pick } from "./dialogs.ts";
import type { Locator } from "@playwright/test";
import { callApi, expect, newCard, readCard, refreeze, selectAll, test } from "./fixtures.ts";

test("a card is frozen with a reason and unfrozen again, and its history says by whom", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { name: "Mei Tanaka" });
  await owner.goto("/overview");
  await owner.getByRole("link", { name: "Cards", exact: true }).click();
  await owner.getByRole("row", { name: /Mei Tanaka/u }).click();
  await owner.getByRole("button", { name: "Freeze" }).click();
  const dialog = owner.getByRole("dialog", { name: /^Freeze .+ •••• /u });
  await pick(dialog, /Reason/u, "Suspected fraud");
  await dialog.getByLabel("Comment").fill("Called the holder");
  // Relative to the page, not the window: the browser scrolls to keep the visible content in place.
  const placeOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return { x: box?.x, y: (box?.y ?? Number.NaN) + (await owner.evaluate(() => scrollY)) };
  };
  const close = owner.getByRole("button", { name: /^Close card/u });
  const before = await placeOf(close);
  await dialog.getByRole("button", { name: "Freeze card" }).click();
  await expect(owner.getByText("Frozen by Ada Winter")).toBeVisible();
  await expect(owner.getByRole("button", { name: "Unfreeze" })).toBeFocused();
  expect(await placeOf(close)).toEqual(before);
  const frozen = await readCard(request, account, card.id);
  expect(frozen).toMatchObject({
    status: "frozen",
    freeze: {
      reason: "suspected_fraud",
      comment: "Called the holder",
      actor: { type: "staff", name: "Ada Winter" },
    },
  });
  await owner.getByRole("button", { name: "Unfreeze" }).click();
  await owner.getByRole("button", { name: "Unfreeze card" }).click();
  await expect(owner.getByRole("button", { name: "Freeze", exact: true })).toBeVisible();
  const timeline = owner.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText("Unfrozen")).toBeVisible();
  await expect(timeline.getByText("Suspected fraud · “Called the holder”")).toBeVisible();

  await owner.getByRole("button", { name: "Freeze again" }).click();
  await expect(owner.getByText(/^Frozen by Ada Winter .*: suspected fraud/u)).toBeVisible();
});

test("a freeze has a level and an end, and each level is lifted by itself", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog } = await openFreeze(owner, account, request);
  const head = owner.getByRole("region", { name: "Card", exact: true });
  await pick(dialog, /Level/u, "Compliance");
  await pick(dialog, /Ends/u, "In 24 hours");
  await dialog.getByRole("button", { name: "Freeze card" }).click();
  await expect(head.getByText(/^Compliance level · ends .*, in (?:1 day|23 hr)$/u)).toBeVisible();
  await callApi(request, account, { path: `/cards/${card.id}/freeze`, body: { reason: "lost" } });
  await owner.reload();
  await expect(head.getByText("Cardholder level", { exact: true })).toBeVisible();

  await head.getByRole("button", { name: "Unfreeze" }).click();
  await pick(owner.getByRole("dialog"), /Freeze to lift/u, "Cardholder");
  await owner.getByRole("dialog").getByRole("button", { name: "Lift freeze" }).click();
  await expect(owner.getByText("Freeze lifted. The card is still frozen.")).toBeVisible();
  await expect(
    owner.getByRole("region", { name: "Timeline" }).getByText("Freeze lifted"),
  ).toBeVisible();
  expect(await readCard(request, account, card.id)).toMatchObject({
    status: "frozen",
    freezes: [{ level: "compliance" }],
  });
  await owner.getByRole("button", { name: "Freeze again" }).click();
  await expect(head.getByText("Cardholder level", { exact: true })).toBeVisible();
});

test("a frozen card is given another freeze, which is undone or changed by itself", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  await callApi(request, account, { path: `/cards/${card.id}/freeze`, body: { reason: "lost" } });
  await owner.goto(`/cards/${card.id}`);
  const head = owner.getByRole("region", { name: "Card", exact: true });
  const dialog = owner.getByRole("dialog");
  const open = () => head.getByRole("button", { name: "Add or change a freeze" }).click();
  await open();
  await expect(dialog.getByText("Cardholder level")).toBeVisible();
  await pick(dialog, /Ends/u, "In 1 hour");
  await dialog.getByRole("button", { name: "Add freeze" }).click();
  await expect(head.getByText(/^Staff level · ends /u)).toBeVisible();
  await owner.getByRole("button", { name: "Undo" }).click();
  await expect(owner.getByText("Freeze undone. The card is frozen as before.")).toBeVisible();
  await expect(head.getByText(/^Staff level/u)).toBeHidden();

  await open();
  await pick(dialog, /Level/u, "Cardholder");
  await pick(dialog, /Ends/u, "In 1 hour");
  await dialog.getByRole("button", { name: "Change freeze" }).click();
  await expect(head.getByText(/^Cardholder level · ends /u)).toBeVisible();
  await open();
  await pick(dialog, /Level/u, "Cardholder");
  await pick(dialog, /Reason/u, "Stolen");
  await dialog.getByRole("button", { name: "Change freeze" }).click();
  await expect(head.getByText(/^Frozen by Ada Winter .*: stolen/u)).toBeVisible();
  await expect(head.getByText(/^Cardholder level · ends /u)).toBeVisible();
  expect(await readCard(request, account, card.id)).toMatchObject({
    freezes: [{ level: "cardholder", reason: "stolen" }],
  });
});

test("the list shows which freezes end today", async ({ owner, account, request }) => {
  const [today, later] = await Promise.all([
    newCard(request, account, { name: "Mei Tanaka" }),
    newCard(request, account, { name: "Kofi Mensah" }),
  ]);
  // The account's day is that of UTC.
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  for (const [id, end] of [
    [today.id, midnight - 1],
    [later.id, midnight],
  ] as const) {
    const body = { until: new Date(end).toISOString() };
    await callApi(request, account, { path: `/cards/${id}/freeze`, body });
  }
  await owner.goto("/cards");
  await owner.getByRole("link", { name: "Ends today" }).click();
  await expect(owner.getByRole("row", { name: /Mei Tanaka/u })).toBeVisible();
  await expect(owner.getByRole("row", { name: /Kofi Mensah/u })).toBeHidden();
});

test("a freeze is undone from its notice, unless somebody else has frozen the card since", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  const freeze = async () => {
    await owner.getByRole("button", { name: "Freeze", exact: true }).click();
    await owner.getByRole("dialog").getByRole("button", { name: "Freeze card" }).click();
    await expect(owner.getByText("Frozen by Ada Winter")).toBeVisible();
  };
  await owner.goto(`/cards/${card.id}`);
  await freeze();
  await owner.getByRole("button", { name: "Undo" }).click();
  await expect(owner.getByText("Freeze undone.")).toBeVisible();
  await freeze();
  await refreeze(request, account, card.id);
  await owner.getByRole("button", { name: "Undo" }).click();
  await expect(owner.getByText(/its status has changed: it is now frozen/u)).toBeVisible();
  expect((await readCard(request, account, card.id)).freeze.reason).toBe("stolen");
});

test("a reason is required for one card and for many exactly if the account requires it, which is said at the field", async ({
  owner,
  account,
  request,
}) => {
  const bulk = owner.getByRole("dialog", { name: /^Freeze .+ •••• /u });
  const openBulk = async () => {
    await owner.goto("/cards");
    await selectAll(owner, 1);
    await owner.getByRole("button", { name: "Freeze", exact: true }).click();
  };
  const other = await newCard(request, account);
  await openBulk();
  await bulk.getByRole("button", { name: "Freeze 1 card" }).click();
  await expect.poll(async () => (await readCard(request, account, other.id)).status).toBe("frozen");
  await callApi(request, account, { path: `/cards/${other.id}/unfreeze` });
  await owner.goto("/settings/account");
  await owner.getByRole("switch", { name: /^Require a reason for every freeze/u }).click();
  await expect(owner.getByText("Changes saved")).toBeVisible();
  await openBulk();
  await bulk.getByRole("button", { name: "Freeze 1 card" }).click();
  await expect(bulk.getByRole("combobox", { name: "Reason" })).toHaveAccessibleDescription(
    /requires a reason for each freeze/u,
  );
  expect((await readCard(request, account, other.id)).status).toBe("active");
  const { card, dialog } = await openFreeze(owner, account, request);
  await dialog.getByRole("button", { name: "Freeze card" }).click();
  const reason = dialog.getByRole("combobox", { name: "Reason" });
  await expect(reason).toHaveAccessibleDescription(/requires a reason for each freeze/u);
  expect((await readCard(request, account, card.id)).status).toBe("active");
  await reason.selectOption("Stolen");
  await expect(reason).toHaveAccessibleDescription("");
  await dialog.getByRole("button", { name: "Freeze card" }).click();
  await expect(dialog).toBeHidden();
  expect((await readCard(request, account, card.id)).freeze.reason).toBe("stolen");
});

test("the reason other needs a comment, said in the form before anything is sent", async ({
  owner,
  account,
  request,
}) => {
  const { card, dialog } = await openFreeze(owner, account, request);
  await pick(dialog, /Reason/u, "Other");
  await dialog.getByRole("button", { name: "Freeze card" }).click();
  await expect(dialog.getByText('This field is required with the reason "other".')).toBeVisible();
  expect((await readCard(request, account, card.id)).status).toBe("active");
});

test("the account's settings say what an automatic freeze would have done, and then do it", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { float: 1_000, balance: 1_000 });
  const tooMuch = { type: "authorize", amount: 5_000 };
  const decline = () =>
    callApi(request, account, {
      method: "POST",
      path: `/cards/${card.id}/mock-transaction`,
      body: tooMuch,
    });
  await decline();
  await decline();
  await owner.goto("/settings/account");
  const panel = owner.getByRole("region", { name: "Freezes" });
  await expect(panel.getByText("Cards do not freeze after repeated declines.")).toBeVisible();
  await panel.getByRole("button", { name: "Edit automatic freeze" }).click();
  const dialog = owner.getByRole("dialog", { name: "Automatic freeze" });
  await dialog.getByRole("switch").check();
  await expect(
    dialog.getByText("In the last 30 days, this would have frozen no cards."),
  ).toBeVisible();
  await dialog.getByLabel("Declines", { exact: true }).fill("1");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByText("This field must be a whole number from 2 to 100.")).toBeVisible();
  await dialog.getByLabel("Declines", { exact: true }).fill("2");
  await expect(
    dialog.getByText("In the last 30 days, this would have frozen 1 card."),
  ).toBeVisible();
  await dialog.getByRole("checkbox", { name: "Card expired" }).uncheck();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(
    panel.getByText(
      "A card freezes after 2 declines for single-use card already used, currency mismatch, category blocked, country blocked, spending limit exceeded, or insufficient funds within 1 hour.",
    ),
  ).toBeVisible();

  await decline();
  await owner.goto(`/cards/${card.id}`);
  await expect(owner.getByText(/^Frozen by Automatic freeze .*: too many declines/u)).toBeVisible();
  await owner.goto("/settings/audit-log");
  await expect(owner.getByText("changed the automatic freeze to", { exact: false })).toBeVisible();
});

test("the account's settings say how many idle cards would be frozen, and how", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  const advance = (days: number) =>
    callApi(request, account, {
      method: "POST",
      path: "/sandbox/clock/advance",
      body: { by_seconds: days * 24 * 3_600 },
    });
  await advance(29);
  await owner.goto("/settings/account");
  const panel = owner.getByRole("region", { name: "Freezes" });
  await expect(panel.getByText("Cards that nobody uses do not freeze.")).toBeVisible();
  await panel.getByRole("button", { name: "Edit freeze of idle cards" }).click();
  const dialog = owner.getByRole("dialog", { name: "Freeze of idle cards" });
  await dialog.getByRole("switch").check();
  await expect(dialog.getByText("No cards would be frozen tomorrow.")).toBeVisible();
  await dialog.getByLabel("Days without use").fill("30");
  await expect(dialog.getByText("1 card would be frozen tomorrow.")).toBeVisible();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(panel.getByText("A card freezes when it is not used for 30 days.")).toBeVisible();
  await advance(1);
  await owner.goto(`/cards/${card.id}`);
  await expect(owner.getByText(/^Frozen by Automatic freeze .*: inactivity/u)).toBeVisible();
  await expect(owner.getByText("“Not used for 30 days”").first()).toBeVisible();
});
