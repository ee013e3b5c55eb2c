import { Webhook } from "standardwebhooks";
import { expect, test, topUp, valueOf } from "./fixtures.ts";
import { openDelivery, panel, sendTest, setWebhookUrl } from "./webhook-account.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";

let receiver: Receiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});

test.afterEach(() => receiver.stop());

/** The content of a webhook whose signature the reference library has verified. */
function verify(secret: string, index: number): { id: string; event: string } {
  const { body, headers } = receiver.received[index] ?? { body: "", headers: {} };
  const told = new Webhook(secret).verify(body, headers as Record<string, string>);
  return told as { id: string; event: string };
}

test("an address set on the screen is told each change, signed with the secret that the owner reveals", async ({
  owner: page,
  account,
}) => {
  await page.goto("/settings/account");
  await page.getByLabel("Webhook URL").fill(receiver.url);
  await page.getByRole("button", { name: "Save changes" }).click();
  await receiver.waitFor(2);

  await page.goto("/developers/webhooks");
  await expect(panel(page, "Endpoint")).toContainText(receiver.url);
  await expect(valueOf(panel(page, "Endpoint"), "Sent from")).toHaveText(
    "203.0.113.7, 2001:db8::/48",
  );
  await page.getByRole("button", { name: "Reveal" }).click();
  await page.getByRole("button", { name: "Reveal secret" }).click();
  const secret = await page.getByRole("note", { name: "Signing secret" }).innerText();
  await page.getByRole("button", { name: "Done" }).click();

  await topUp(page.request, account, 5_000);
  await receiver.waitFor(3);
  const { id, event } = verify(secret, 2);
  expect(event).toBe("float.topped-up");
  expect(receiver.received[2]?.headers["webhook-id"]).toBe(id);
  expect(() => verify("whsec_dGhlIHdyb25nIG9uZSBhbHRvZ2V0aGVy", 2)).toThrow();

  await openDelivery(page, "float.topped-up");
  await expect(page.getByRole("listitem", { name: "Attempt 1" })).toContainText("delivered");
  await expect(page.getByRole("region", { name: "Request headers of attempt 1" })).toContainText(
    String(receiver.received[2]?.headers["webhook-signature"]),
  );
  await page.goto("/developers/events");
  const line = page
    .getByRole("list", { name: "Events" })
    .getByRole("listitem")
    .filter({ hasText: event });
  await line.getByLabel("Details").click();
  await line.getByRole("link", { name: new URL(receiver.url).host }).click();
  await expect(page).toHaveURL(new RegExp(`/deliveries/${id}$`, "u"));
});

test("a receiver that is down is tried again, and sent to once more from the screen when it is back", async ({
  owner: page,
  account,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await setWebhookUrl(page, account, receiver.url);
  await receiver.waitFor(2);
  receiver.behave(answer(503, { "content-type": "text/plain" }, "down for repairs"));
  await topUp(page.request, account, 5_000);
  // The first attempt, and the first retry about five seconds later.
  await receiver.waitFor(4);

  await openDelivery(page, "float.topped-up");
  const first = page.getByRole("listitem", { name: "Attempt 1" });
  const second = page.getByRole("listitem", { name: "Attempt 2" });
  await expect(second).toContainText("The endpoint returned a server error.");
  await expect(second).toContainText("HTTP 503");
  await expect(second).toContainText("down for repairs");
  await expect(first).toContainText("failed");
  await first.getByRole("button", { name: /^Attempt 1/u }).click();
  for (const number of [1, 2]) {
    const headers = page.getByRole("region", { name: `Request headers of attempt ${number}` });
    await expect(headers).toBeVisible();
  }
  await expect(page.getByText("Retrying")).toBeVisible();
  await expect(panel(page, "Details")).toContainText(/Next attempt\s*in [3-6] min/u);
  await panel(page, "Payload").getByRole("button", { name: /^Copy/u }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(receiver.received[2]?.body);

  receiver.behave(answer(200));
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(page.getByRole("listitem", { name: "Attempt 3" })).toContainText("delivered");
  await expect(page.getByText("Delivered", { exact: true }).first()).toBeVisible();
  const [failed, again] = [receiver.received[2], receiver.received.at(-1)];
  expect(again?.body).toBe(failed?.body);
  expect(again?.headers["webhook-id"]).toBe(failed?.headers["webhook-id"]);
});

test("a receiver that wants no more shows on every page, until notifications are on again and what was missed is recovered", async ({
  owner: page,
  account,
}) => {
  await setWebhookUrl(page, account, receiver.url);
  await receiver.waitFor(2);
  receiver.behave(answer(410));
  await page.goto("/developers/webhooks");
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByRole("listitem", { name: "Attempt 1" })).toContainText("410");
  for (const path of ["/cards", "/settings/security", "/overview"]) {
    await page.goto(path);
    await expect(
      page.getByRole("status").filter({ hasText: "Webhooks were disabled" }),
    ).toContainText("410");
  }
  await topUp(page.request, account, 5_000);
  receiver.behave(answer(200));
  await page.getByRole("link", { name: "Go to webhooks" }).click();
  await expect(page.getByRole("button", { name: /^Send test event: / })).toBeVisible();
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("status")).toHaveText(
    "This sends 2 events: 1 float.topped-up, 1 webhook.test.",
  );
  await dialog.getByRole("button", { name: "Recover" }).click();
  await receiver.waitFor(5);
  const told = receiver.received.slice(3).map(({ body }) => String(JSON.parse(body).event));
  expect(told.toSorted()).toEqual(["float.topped-up", "webhook.test"]);
  await expect(panel(page, "Endpoint")).toContainText("Enabled");
  await expect(page.getByText("Webhooks were disabled")).toBeHidden();
});

test("a rotated secret is shown, and for a day the one before signs beside it", async ({
  owner: page,
  account,
}) => {
  await setWebhookUrl(page, account, receiver.url);
  await receiver.waitFor(2);
  await page.goto("/developers/webhooks");
  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  const secret = await page.getByRole("note", { name: "Signing secret" }).innerText();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Previous secrets also sign until")).toBeVisible();
  await sendTest(page, account);
  await receiver.waitFor(3);
  expect(verify(secret, 2).event).toBe("webhook.test");
  expect(String(receiver.received[2]?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
});
