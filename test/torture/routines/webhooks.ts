import { setTimeout as sleep } from "node:timers/promises";
import { change, label, moveWebhooks, post, read } from "../asks.ts";
import type { Desk } from "../desk.ts";
import { rowsOf } from "../desk.ts";
import { isAcknowledged } from "../history.ts";

const POLL_MS = 200;
/** Only ends a wait for workers that are down or frozen for long. */
const GONE_MS = 20_000;
/** What is recovered: everything of a month, whose beginning the database's clock skips. */
const RECOVERED_MS = 3_600_000;

/** Has notifications sent to another address of the same receiver, and tries it out. */
export async function moveEndpoint(desk: Desk): Promise<void> {
  const url = `${desk.collector.url}/${desk.newMarker()}`;
  const moved = await desk.asKey(moveWebhooks(url, desk.newMarker()));
  if (isAcknowledged(moved)) {
    const shown = await desk.asKey(read("getWebhooks", "/webhooks"));
    desk.requireShown(shown, "its new address", ({ webhook_url }) => webhook_url === url);
  }
  const tested = await desk.asKey(post("sendTestWebhook", "/webhooks/test"));
  if (!isAcknowledged(tested)) {
    return;
  }
  const id = String(tested.data["id"]);
  const event = await desk.asKey(read("getEvent", `/events/${id}`));
  desk.requireShown(event, `event ${id}`, (data) => data["event"] === "webhook.test");
  await desk.asKey(
    post("resendWebhookDelivery", `/webhook-deliveries/${id}/resend`, { target: id }),
  );
  await desk.asKey(read("getWebhookDelivery", `/webhook-deliveries/${id}`));
}

/** Rotates the signing secret. The receiver knows it from the answer on. */
export async function rotateSecret(desk: Desk): Promise<void> {
  const { integratorId: target } = desk;
  const rotated = await desk.asKey(
    post("rotateWebhookSecret", "/webhooks/rotate-secret", { target }),
  );
  if (isAcknowledged(rotated)) {
    desk.collector.learn(target, String(rotated.data["secret"]));
    await revealSecret(desk, String(rotated.data["secret"]));
  }
}

/** Shows the receiver the secret. @param expected what it must be; anything for the first one. */
export async function revealSecret(desk: Desk, expected?: string): Promise<void> {
  const { integratorId: target } = desk;
  const revealed = await desk.asOwner(
    post("revealWebhookSecret", "/webhooks/reveal-secret", { target, repeat: "performed" }),
  );
  if (isAcknowledged(revealed) && expected === undefined) {
    desk.collector.learn(target, String(revealed.data["secret"]));
  }
  desk.requireShown(
    revealed,
    "the rotated secret",
    ({ secret }) => expected === undefined || secret === expected,
  );
}

/** Switches notifications off for a while, and recovers what was missed. */
export async function pauseEndpoint(desk: Desk): Promise<void> {
  const off = await desk.asKey(moveWebhooks(null, desk.newMarker()));
  if (isAcknowledged(off)) {
    const shown = await desk.asKey(read("getWebhooks", "/webhooks"));
    desk.requireShown(shown, "that it is off", ({ state }) => state === "off");
  }
  await desk.asKey(label(desk.random.pick(desk.customer.cardIds), desk.newMarker()));
  await desk.asKey(moveWebhooks(desk.collector.url, desk.newMarker()));
  await recover(desk);
}

/** The receiver says that it is gone, until it is switched off. Then it is switched on again. */
export async function loseEndpoint(desk: Desk): Promise<void> {
  const deadline = performance.now() + GONE_MS;
  desk.collector.gone.add(desk.integratorId);
  try {
    while (!(await isSwitchedOff(desk)) && performance.now() < deadline) {
      await desk.asKey(post("sendTestWebhook", "/webhooks/test"));
      await sleep(POLL_MS);
    }
  } finally {
    desk.collector.gone.delete(desk.integratorId);
  }
  await desk.asKey(post("enableWebhooks", "/webhooks/enable", { target: desk.integratorId }));
  await recover(desk);
}

async function isSwitchedOff(desk: Desk): Promise<boolean> {
  const shown = await desk.asKey(read("getWebhooks", "/webhooks"));
  return shown.data["state"] === "switched_off";
}

/** Has everything sent again that did not arrive. @param endpoint another one than the account's. */
export async function recover(desk: Desk, endpoint: { endpoint_id?: string } = {}): Promise<void> {
  const since = new Date(Date.now() - RECOVERED_MS).toISOString();
  await desk.asKey(
    post("recoverWebhookDeliveries", "/webhook-deliveries/recover", {
      body: { since, ...endpoint },
      target: desk.integratorId,
    }),
  );
}

/** Changes the account's settings, and makes the test inbox. */
export async function changeSettings(desk: Desk): Promise<void> {
  const marker = desk.newMarker();
  const body = { registration_number: marker };
  const changed = await desk.asKey({
    ...change("updateSettings", "/card-integrators/settings", body),
    marker,
  });
  if (isAcknowledged(changed)) {
    const shown = await desk.asKey(read("getAccount", "/card-integrators/me"));
    desk.requireShown(
      shown,
      "its new registration number",
      ({ registration_number }) => registration_number === marker,
    );
  }
  await desk.asKey(post("createInbox", "/sandbox/inbox", { target: desk.integratorId }));
  await desk.asKey(read("listInbox", "/sandbox/inbox"));
  await desk.asOwner(
    change("requireSecondFactor", "/staff/second-factor-policy", { required: false }),
  );
  await desk.asKey(post("resetClock", "/sandbox/clock/reset", { target: desk.integratorId }));
}

/** Reads every list and every record that there is. */
export async function readEverything(desk: Desk): Promise<void> {
  for (const ask of LISTS) {
    await desk.asKey(ask);
  }
  for (const ask of STAFF_LISTS) {
    await desk.asOwner(ask);
  }
  const transactions = await desk.asKey(read("listTransactions", "/transactions?limit=1"));
  for (const { id } of rowsOf(transactions.data["data"])) {
    await desk.asKey(read("getTransactionById", `/transactions/${String(id)}`));
    await desk.asKey(read("getTransaction", `/cards/transaction/${String(id)}`));
  }
  const [cardId = ""] = desk.customer.cardIds;
  await desk.asKey(read("listCardActivity", `/cards/${cardId}/activity`));
  await desk.asKey(read("getCardStatement", `/cards/${cardId}/statement`));
  await desk.asKey(read("exportCardStatement", `/exports/cards/${cardId}/statement`));
}

const LISTS = [
  read("listUsers", "/card-integrators/card-users"),
  read("listFloatEntries", "/card-integrators/float/entries"),
  read("getClock", "/sandbox/clock"),
  read("listWebhookDeliveries", "/webhook-deliveries?limit=20"),
  read("getMissedWebhookDeliveries", "/webhook-deliveries/missed"),
  read("getIdempotencyKey", "/idempotency-keys/unknown"),
  read("exportCards", "/exports/cards"),
  read("exportFloatEntries", "/exports/float-entries"),
  read("getFloatStatement", "/card-integrators/float-statement"),
  read("exportFloatStatement", "/exports/float-statement"),
  read("exportTransactions", "/exports/transactions"),
  read("listDeprecations", "/deprecations"),
  read(
    "previewIdleFreezeSettings",
    "/card-integrators/settings/idle-freeze-preview?idle_freeze_days=90",
  ),
  read(
    "previewAutoFreezeSettings",
    "/card-integrators/settings/auto-freeze-preview?declines=3&within_minutes=60",
  ),
];

const STAFF_LISTS = [
  read("listApiLog", "/api-log?limit=20"),
  read("listAuditLog", "/audit-log?limit=20"),
  read("exportAuditLog", "/exports/audit-log"),
  read("getAccountVersion", "/card-integrators/me/version"),
];
