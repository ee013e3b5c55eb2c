import { expect, newCard, test, toPageHeaders, valueOf } from "./fixtures.ts";
import { join } from "./join.ts";
import { requireSecondPerson } from "./second-person.ts";

test("a move that reaches the threshold waits, and a second person approves it", async ({
  owner,
  account,
  request,
  browser,
}) => {
  const card = await newCard(request, account, { float: 100_000 });
  const noor = await join(owner, browser, "owner");
  await requireSecondPerson(owner);
  await expect(owner.getByText(/^From \$100\.00 within 24 hours on/u)).toBeVisible();

  await owner.goto(`/cards/${card.id}`);
  await owner.getByRole("button", { name: "Credit" }).click();
  const credit = owner.getByRole("dialog", { name: /^Credit .+ •••• /u });
  await credit.getByRole("textbox", { name: "Amount" }).fill("250");
  await credit.getByRole("button", { name: "Credit $250.00" }).click();
  await owner.waitForURL("**/approvals/*");
  await expect(owner.getByText("Sent for approval. Nothing has happened yet.")).toBeVisible();
  await expect(owner.getByRole("heading", { level: 1 })).toHaveText("Credit a card ($250.00)");
  await expect(owner.getByRole("button", { name: "Approve" })).toHaveCount(0);

  await noor.goto("/overview");
  await expect(noor.getByText(/asks for your approval to credit a card/u)).toBeVisible();
  await noor.getByRole("link", { name: "Decide" }).click();
  await noor.waitForURL("**/approvals/*");
  await expect(noor.getByText("$750.00")).toBeVisible();
  await noor.getByRole("button", { name: "Approve" }).click();
  await expect(noor.getByText("Approved", { exact: true }).first()).toBeVisible();
  await noor.goto(`/cards/${card.id}`);
  await expect(valueOf(noor, "Balance")).toHaveText("$250.00");
  await owner.goto("/approvals?own");
  await expect(owner.getByRole("row", { name: /Credit a card/u })).toContainText("Approved");
});

test("whoever asked cancels, and whoever rejects says why", async ({
  owner,
  account,
  request,
  browser,
}) => {
  const card = await newCard(request, account, { float: 100_000, balance: 50_000 });
  const noor = await join(owner, browser, "owner");
  await requireSecondPerson(owner);

  await owner.goto(`/cards/${card.id}?act=close`);
  await owner
    .getByRole("dialog")
    .getByRole("button", { name: /^Close/u })
    .last()
    .click();
  await owner.waitForURL("**/approvals/*");
  await owner.getByRole("button", { name: "Cancel request" }).click();
  await expect(owner.getByText("Canceled", { exact: true }).first()).toBeVisible();

  await owner.goto("/settings/account");
  await owner.getByRole("button", { name: "Edit second person" }).click();
  const dialog = owner.getByRole("dialog", { name: "Second person" });
  await dialog.getByRole("switch", { name: /^Require somebody else/u }).click();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await owner.waitForURL("**/approvals/*");
  await noor.goto("/approvals");
  await noor
    .getByRole("region", { name: /^Waiting for you/u })
    .getByText("Change the settings")
    .click();
  await noor.waitForURL("**/approvals/*");
  const rule = noor.getByRole("region", { name: "Second person" });
  await expect(rule.getByText(/^From .+, somebody else must approve/u)).toBeVisible();
  await expect(rule.getByText("Nobody else has to approve moves.")).toBeVisible();
  await noor.getByRole("button", { name: "Reject" }).click();
  const reject = noor.getByRole("dialog", { name: "Reject this request" });
  await reject.getByRole("textbox", { name: "Reason" }).fill("We agreed to keep it.");
  await reject.getByRole("button", { name: "Reject" }).click();
  await expect(noor.getByText("We agreed to keep it.")).toBeVisible();
});

test("a job that waits says what each of its cards gets", async ({
  owner,
  account,
  request,
  browser,
}) => {
  const first = await newCard(request, account, { float: 100_000 });
  const second = await newCard(request, account);
  const noor = await join(owner, browser, "owner");
  await requireSecondPerson(owner);
  const items = [
    { card_id: first.id, amount: 12_300 },
    { card_id: second.id, amount: 45_600 },
  ];
  const asked = await owner.request.post("/api/bulk", {
    headers: await toPageHeaders(owner.request),
    data: { operation: "credit", items },
  });
  expect(await asked.json()).toMatchObject({ data: { approval: { status: "waiting" } } });
  await noor.goto("/approvals");
  await noor
    .getByRole("region", { name: /^Waiting for you/u })
    .getByRole("link")
    .first()
    .click();
  await noor.waitForURL("**/approvals/*");
  const cards = noor.getByRole("region", { name: "Cards to credit" });
  await expect(cards.getByText("$123.00")).toBeVisible();
  await expect(cards.getByText("$456.00")).toBeVisible();
  await expect(cards.getByRole("link").last()).toHaveAttribute("href", `/cards/${second.id}`);
});

test("a key that is newer than the rule moves funds alone once a second person exempts it", async ({
  owner,
  account,
  request,
  browser,
}) => {
  const card = await newCard(request, account, { float: 100_000 });
  const noor = await join(owner, browser, "owner");
  await requireSecondPerson(owner);
  await owner.goto("/developers/api-keys");
  const first = owner.getByRole("row").nth(1);
  await first.getByRole("button", { name: "Rotate" }).click();
  const rotation = owner.getByRole("dialog", { name: /^Rotate/u });
  await expect(
    rotation.getByText(/^Large moves with the new key wait for approval/u),
  ).toBeVisible();
  await rotation.getByRole("button", { name: "Rotate key" }).click();
  const key = await rotation.getByRole("note", { name: "API key" }).innerText();
  await rotation.getByRole("button", { name: "Done" }).click();
  const credit = async () => {
    const response = await request.patch("/api/cards/credit/balance", {
      headers: { Authorization: `Bearer ${key}` },
      data: { card_id: card.id, amount: 10_000 },
    });
    return response.status();
  };
  expect(await credit()).toBe(202);

  const waiting = owner.getByRole("row").filter({ hasText: "Large moves wait for approval" });
  await waiting.getByRole("button", { name: "Exempt" }).click();
  await owner
    .getByRole("dialog", { name: /^Exempt .+ from approvals$/u })
    .getByRole("button", { name: "Ask for exemption" })
    .click();
  await owner.waitForURL("**/approvals/*");
  await expect(valueOf(owner, "About")).toContainText(key.slice(-4));
  await noor.goto(owner.url());
  await noor.getByRole("button", { name: "Approve" }).click();
  await expect(noor.getByText("Approved", { exact: true }).first()).toBeVisible();
  expect(await credit()).toBe(200);
  await owner.goto("/developers/api-keys");
  await expect(owner.getByRole("button", { name: "Rotate" }).first()).toBeVisible();
  await expect(owner.getByRole("button", { name: "Exempt" })).toHaveCount(0);
});
