import type { Page } from "@playwright/test";
import { callApi, expect, newCard, readCard, refreeze, selectAll, test } from "./fixtures.ts";

test("freezing many leaves out a closed card and says why; undoing it leaves a colleague's freeze alone", async ({
  owner,
  account,
  request,
}) => {
  const [open, other, closed] = [
    await newCard(request, account, { name: "Mei Tanaka" }),
    await newCard(request, account, { name: "Owen Walsh" }),
    await newCard(request, account, { name: "Aiko Mori" }),
  ];
  await callApi(request, account, {
    method: "POST",
    path: `/cards/${closed.id}/close`,
    body: {},
  });
  await owner.goto("/cards");
  await selectAll(owner, 3);
  await owner.getByRole("button", { name: "Freeze", exact: true }).click();
  const dialog = owner.getByRole("dialog", { name: "Freeze 3 selected cards" });
  const skipped = dialog.getByRole("region", { name: "Skipped (1)" });
  await expect(skipped.getByText(`Aiko Mori •••• ${closed.last4}`)).toBeVisible();
  await expect(skipped.getByText(/^This card is closed/u)).toBeVisible();
  await expect(dialog.getByRole("region", { name: "To be frozen (2)" })).toContainText(
    "Mei Tanaka",
  );
  await dialog.getByRole("button", { name: "Freeze 2 cards" }).click();
  await expect(dialog.getByText("Choose a reason.")).toBeVisible();
  await chooseReason(owner, "Compromised");
  await dialog.getByRole("button", { name: "Freeze 2 cards" }).click();
  await expect(dialog.getByText("Frozen 2 of 2 · 1 skipped")).toBeVisible();
  const results = dialog.getByRole("list", { name: "Results" });
  await expect(results.getByRole("link", { name: /^Mei Tanaka/u })).toHaveAttribute(
    "href",
    `/cards/${open.id}`,
  );

  await refreeze(request, account, open.id);
  await dialog.getByRole("button", { name: "Undo for 2 cards" }).click();
  await expect(dialog.getByText("Undone 1 of 2 · 1 skipped")).toBeVisible();
  await expect(results.getByRole("listitem").filter({ hasText: "Mei Tanaka" })).toContainText(
    "its status has changed: it is now frozen",
  );
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  const read = (id: string) => readCard(request, account, id);
  expect((await read(open.id)).freeze.reason).toBe("stolen");
  expect((await read(other.id)).status).toBe("active");
});

/** Picks a reason in the dialog that is open. */
async function chooseReason(page: Page, name: string): Promise<void> {
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Reason/u })
    .click();
  await page.getByRole("option", { name }).click();
}

test("unfreezing many lifts a freeze for fraud only where it is selected by name", async ({
  owner,
  account,
  request,
}) => {
  const [fraud, idle] = [
    await newCard(request, account, { name: "Mei Tanaka" }),
    await newCard(request, account, { name: "Owen Walsh" }),
  ];
  const freeze = (id: string, reason: string) =>
    callApi(request, account, { path: `/cards/${id}/freeze`, body: { reason } });
  const read = (id: string) => readCard(request, account, id);
  await freeze(fraud.id, "suspected_fraud");
  await freeze(idle.id, "inactivity");
  await owner.goto("/cards?status=frozen");
  await selectAll(owner, 2);
  await owner.getByRole("button", { name: "Unfreeze", exact: true }).click();
  const dialog = owner.getByRole("dialog", { name: "Unfreeze 2 selected cards" });
  const guarded = dialog.getByRole("group", { name: "1 card was frozen to protect it" });
  await expect(guarded.getByText(/suspected fraud$/u)).toBeVisible();
  await dialog.getByRole("button", { name: "Unfreeze 1 card" }).click();
  await expect(dialog.getByText("Unfrozen 1 of 1 · 1 skipped")).toBeVisible();
  expect((await read(fraud.id)).status).toBe("frozen");
  await dialog.getByRole("button", { name: "Undo for 1 card" }).click();
  await expect(dialog.getByText("Undone 1 of 1")).toBeVisible();
  expect((await read(idle.id)).freeze.reason).toBe("inactivity");
  // A list read before the undo would not know of it, and the server would refuse what it has not shown.
  await owner.goto("/cards?status=frozen");
  await selectAll(owner, 2);
  await owner.getByRole("button", { name: "Unfreeze", exact: true }).click();
  await guarded.getByText(/^Mei Tanaka/u).click();
  await dialog.getByRole("button", { name: "Unfreeze 2 cards" }).click();
  await expect(dialog.getByText("Unfrozen 2 of 2")).toBeVisible();
  expect((await read(fraud.id)).status).toBe("active");
});

test("25 cards are frozen at once, and the filter they leave hides no result; the list is exported as a file", async ({
  owner,
  account,
  request,
}) => {
  for (let made = 0; made < 25; made += 1) {
    await newCard(request, account, { name: `Holder Number${made}` });
  }
  await owner.goto("/cards?status=active");
  await selectAll(owner, 25);
  await owner.getByRole("button", { name: "Freeze", exact: true }).click();
  const dialog = owner.getByRole("dialog", { name: "Freeze 25 selected cards" });
  await chooseReason(owner, "Internal review");
  await dialog.getByRole("button", { name: "Freeze 25 cards" }).click();
  await expect(dialog.getByText("Frozen 25 of 25")).toBeVisible();
  // It is behind the dialog, which hides it from assistive technology.
  await expect(owner.getByText("No cards found")).toBeVisible();
  await expect(dialog.getByRole("link", { name: /^Holder Number/u })).toHaveCount(25);
  await dialog.getByRole("button", { name: "Done" }).click();
  await owner.getByRole("link", { name: "Show all cards" }).click();
  await owner.waitForURL("**/cards");
  const listed = await callApi(request, account, {
    method: "GET",
    path: "/cards?status=frozen&limit=100",
  });
  expect(listed).toHaveLength(25);
  const download = owner.waitForEvent("download");
  await owner.getByRole("link", { name: "Export CSV" }).click();
  const file = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of file) {
    chunks.push(Buffer.from(chunk));
  }
  const lines = Buffer.concat(chunks).toString("utf8").trim().split("\r\n");
  expect(lines).toHaveLength(26);
  expect(lines[0]).toMatch(/^id,name,last4,status,/u);
  expect(lines[1]).toContain("frozen");
});
