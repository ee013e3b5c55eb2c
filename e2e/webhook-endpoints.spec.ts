import { Webhook } from "standardwebhooks";
import type { Page } from "@playwright/test";
import { callApi, expect, newCard, signIn, test } from "./fixtures.ts";
import { invite } from "./join.ts";
import { panel, setWebhookUrl } from "./webhook-account.ts";
import { expectSound } from "./sound.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";

let receiver: Receiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});

test.afterEach(() => receiver.stop());

async function addEndpoint(page: Page): Promise<string> {
  await page.goto("/developers/webhooks");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "Add endpoint" });
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByRole("checkbox", { name: "card.created" }).check({ force: true });
  await dialog.getByLabel("Headers").fill("X-Team: ledger");
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  const secret = await dialog.getByText(/^whsec_/u).textContent();
  await dialog.getByRole("button", { name: "Done" }).click();
  return secret ?? "";
}

test("an endpoint is added, tried, changed, and deleted, and gets what it asked for", async ({
  owner: page,
  account,
}) => {
  const secret = await addEndpoint(page);
  await panel(page, "More endpoints").getByRole("row", { name: "card.created" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("127.0.0.1");
  const path = new URL(page.url()).pathname;
  await newCard(page.request, account);
  const [created] = await receiver.waitFor(1);
  expect(created?.headers["x-team"]).toBe("ledger");
  const headers = Object.entries(created?.headers ?? {}).map(([name, value]) => [
    name,
    String(value),
  ]);
  expect(
    new Webhook(secret).verify(created?.body ?? "", Object.fromEntries(headers)),
  ).toMatchObject({
    event: "card.created",
  });
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "webhook.test" })).toBeVisible();
  await expect(page.getByText("x-team: [redacted]")).toBeVisible();
  await page.goto(path);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit endpoint" });
  await expect(dialog.getByText("Set now: x-team.")).toBeVisible();
  await dialog.getByLabel("URL").fill("https://elsewhere.example/");
  await expect(dialog.getByText("Another host gets none of x-team")).toBeVisible();
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByRole("checkbox", { name: "card.frozen" }).check({ force: true });
  await dialog.getByLabel("Headers").fill("Host: example.com");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByText(/Host This header cannot be set/u)).toBeVisible();
  await dialog.getByLabel("Headers").fill("X-Team:");
  await dialog.getByRole("radio", { name: "A sentence about each event" }).check();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(panel(page, "Endpoint")).toContainText("card.created, card.frozen");
  await expect(panel(page, "Endpoint")).not.toContainText("x-team");
  await expect(panel(page, "Endpoint")).toContainText("Sentences, for a chat");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete endpoint" }).click();
  await expect(panel(page, "More endpoints")).toContainText("No other endpoints");
  await page.goto(path);
  await expect(page.getByText("We couldn't find that endpoint.")).toBeVisible();
});

test("an endpoint that is gone is told by its host, and enabled on its own page", async ({
  owner: page,
  account,
}) => {
  receiver.behave(answer(410));
  const body = { webhook_url: receiver.url, events: ["card.created"] };
  const { data } = await callApi(page.request, account, {
    method: "POST",
    path: "/webhook-endpoints",
    body,
  });
  await newCard(page.request, account);
  await receiver.waitFor(1);
  await expect(async () => {
    await page.goto("/overview");
    await expect(page.getByText(/Webhooks to 127\.0\.0\.1:\d+ were disabled/u)).toBeVisible();
  }).toPass();
  await page.getByRole("link", { name: "Go to webhooks" }).click();
  await expect(page).toHaveURL(`/developers/webhooks/endpoints/${data.id}`);
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Recover missed events" })).toContainText(
    "This sends 1 event: 1 card.created.",
  );
});

test("its page and its dialogs are sound, and a viewer can change nothing", async ({
  owner: page,
  account,
  browser,
  baseURL,
}) => {
  await setWebhookUrl(page, account, receiver.url);
  await addEndpoint(page);
  await expectSound(page);
  await panel(page, "More endpoints").getByRole("row", { name: "card.created" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("127.0.0.1");
  await expectSound(page);
  for (const name of ["Edit", "Delete"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectSound(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const theirs = await context.newPage();
  await signIn(theirs.request, await invite(page, "viewer"));
  await theirs.goto(new URL(page.url()).pathname);
  for (const name of ["Edit", "Delete", "Rotate", "Send test event"]) {
    await expect(
      theirs.getByRole("button", { name: new RegExp(`^${name}: Only`, "u") }),
    ).toBeVisible();
  }
  await context.close();
});

test("an event and its card name each endpoint that gets it, with a link to that delivery", async ({
  owner: page,
  account,
}) => {
  const url = receiver.url.replace(/[/]$/u, "");
  await setWebhookUrl(page, account, `${url}/first`);
  await callApi(page.request, account, {
    method: "POST",
    path: "/webhook-endpoints",
    body: { webhook_url: `${url}/second`, events: ["card.created"] },
  });
  const { id } = await newCard(page.request, account);
  await page.goto("/developers/events?event=card.created");
  await page.getByRole("listitem").getByLabel("Details").click();
  await page.getByRole("link", { name: "View event" }).click();
  const deliveries = panel(page, "Webhook deliveries");
  await expect(deliveries.getByRole("listitem")).toHaveText([/\/first$/u, /\/second$/u]);
  await expectSound(page);
  await deliveries.getByRole("link", { name: /second$/u }).click();
  await expect(panel(page, "Details")).toContainText("/second");
  await page.goto(`/cards/${id}`);
  await expect(deliveries.getByRole("listitem")).toContainText(["/first", "/second"]);
});
