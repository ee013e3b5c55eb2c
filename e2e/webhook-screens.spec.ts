import { expect, newCard, register, signIn, test } from "./fixtures.ts";
import { invite } from "./join.ts";
import { openDelivery, panel, setWebhookUrl } from "./webhook-account.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { pick } from "./dialogs.ts";
import { pressDisabled } from "./press-disabled.ts";

let receiver: Receiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});

test.afterEach(() => receiver.stop());

test("a card shows what was sent about it, and the list is narrowed by state, event and card", async ({
  owner: page,
  account,
}) => {
  await setWebhookUrl(page, account, receiver.url);
  const { id: cardId } = await newCard(page.request, account, { name: "Mei Tanaka" });
  await receiver.waitFor(4);
  await page.goto(`/cards/${cardId}`);
  const notifications = panel(page, "Webhook deliveries");
  await expect(notifications.getByRole("link", { name: "card.created" })).toContainText(
    "Delivered",
  );
  await notifications.getByRole("link", { name: "See all" }).click();
  const rows = page.getByRole("table", { name: "Deliveries" }).getByRole("row");
  // The first row is the header.
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: /^Remove filter: Mei Tanaka/u }).click();
  await expect(rows).toHaveCount(5);
  const filters = page.getByRole("dialog", { name: "Filter deliveries" });
  const choose = async (label: RegExp, option: string) => {
    await page.getByRole("button", { name: "Filters" }).click();
    await pick(filters, label, option);
    await filters.getByRole("button", { name: "Show deliveries" }).click();
  };
  await choose(/Event/u, "webhook.test");
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/event=webhook\.test/u);
  await choose(/Status/u, "Failed");
  await expect(page.getByText("No deliveries found")).toBeVisible();
  await page.getByRole("link", { name: "Show all deliveries" }).click();
  await expect(rows).toHaveCount(5);
});

test("a viewer sees it all and can change nothing, and each control says why; another account finds nothing", async ({
  owner: page,
  account,
  browser,
  baseURL,
}) => {
  await setWebhookUrl(page, account, receiver.url);
  await receiver.waitFor(2);
  const viewer = await invite(page, "viewer");
  await openDelivery(page, "webhook.test");
  const delivery = page.url();

  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const theirs = await context.newPage();
  await signIn(theirs.request, viewer);
  await theirs.goto(delivery);
  const resend = theirs.getByRole("button", { name: /^Resend: Only owners/u });
  await expect(resend).toHaveAttribute("aria-disabled", "true");
  await pressDisabled(resend);
  await theirs.goto("/developers/webhooks");
  for (const name of ["Send test event", "Recover missed events", "Reveal", "Rotate"]) {
    await expect(
      theirs.getByRole("button", { name: new RegExp(`^${name}: Only owners`, "u") }),
    ).toHaveAttribute("aria-disabled", "true");
  }
  expect(receiver.received).toHaveLength(2);
  await context.clearCookies();
  await signIn(theirs.request, await register(theirs.request));
  expect((await theirs.goto(delivery))?.status()).toBe(404);
  await expect(
    theirs.getByRole("heading", { name: "We couldn't find that delivery." }),
  ).toBeVisible();
  await context.close();
});
