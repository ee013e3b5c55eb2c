import { verifyWebhook } from "floatdeck";
import { floatdeck } from "./floatdeck.mjs";
import { find, keep, run, transaction } from "./store.mjs";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Floatdeck keeps deliveries for 30 days. */
const RECOVERABLE_DAYS = 29;

/** Where an event of a card leaves its mark. What is older than what is stored changes nothing. */
function apply({ event, subject, sequence, data }) {
  run("insert into cards (card_id) values (?) on conflict do nothing", subject.id);
  if (["card.created", "card.frozen", "card.unfrozen", "card.closed"].includes(event)) {
    run(
      "update cards set status = ?, status_sequence = ? where card_id = ? and status_sequence < ?",
      data.status,
      sequence,
      subject.id,
      sequence,
    );
  }
  if (typeof data.card_balance_after === "number") {
    run(
      "update cards set balance = ?, balance_sequence = ? where card_id = ? and balance_sequence < ?",
      data.card_balance_after,
      sequence,
      subject.id,
      sequence,
    );
  }
}

/** Handles an event once, however often it arrives. @returns whether it was new. */
export function take(event) {
  return transaction(() => {
    const isNew = run(
      "insert into events values (?, ?) on conflict do nothing",
      event.id,
      event.event,
    );
    if (isNew && event.subject.type === "card") {
      apply(event);
    }
    return isNew === 1;
  });
}

/** Takes the event of a request. @throws WebhookVerificationError if it is not from Floatdeck. */
export async function receive(headers, body) {
  take(await verifyWebhook(find("secret"), headers, body));
}

/** Has all events sent to this URL, from the first start on, also those that came while nobody listened. */
export async function subscribe(url) {
  // An hour earlier, in case the clocks differ.
  const since = keep("since", toTime(HOUR_MS));
  if (!find("secret")) {
    keep("secret", (await floatdeck.webhooks.rotateSecret()).data.secret);
  }
  const { data: account } = await floatdeck.account.get();
  if (account.webhook_url !== url) {
    await floatdeck.account.update({ webhook_url: url });
  }
  const { data: endpoint } = await floatdeck.webhooks.get();
  if (endpoint.state === "switched_off") {
    await floatdeck.webhooks.enable();
  }
  await recover(since);
}

/** Has Floatdeck send what has not arrived. What has arrived is not sent again, so starting too early does no harm. */
async function recover(firstStart) {
  const earliest = toTime(RECOVERABLE_DAYS * DAY_MS);
  const since = firstStart > earliest ? firstStart : earliest;
  for (;;) {
    const { data } = await floatdeck.webhookDeliveries.recover({ since });
    if (data.complete) {
      return;
    }
  }
}

function toTime(agoMs) {
  return new Date(Date.now() - agoMs).toISOString();
}
