import type { DeclaredActions } from "#lib/audit/action.ts";
import { say } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";
import { SWITCH_OFF_REASONS } from "#lib/webhooks/delivery-states.ts";

const PAGE = "/developers/webhooks";
const ENDPOINT = { text: "webhook endpoint", href: PAGE };
const SIGNING_SECRET = { text: "signing secret", href: PAGE };

export const WEBHOOK_ACTIONS: DeclaredActions = {
  "webhooks.enabled": {
    title: "Webhooks enabled",
    tell: (teller) =>
      isFurther(teller)
        ? say`${teller.who} enabled a ${ENDPOINT}`
        : say`${teller.who} enabled ${{ text: "webhooks", href: PAGE }}`,
  },
  "webhooks.switched-off": {
    title: "Webhooks disabled",
    tell: (teller) =>
      isFurther(teller)
        ? say`A ${ENDPOINT} was disabled. ${toSwitchOffReason(teller)}`
        : say`${{ text: "Webhooks", href: PAGE }} were disabled. ${toSwitchOffReason(teller)}`,
  },
  "webhooks.endpoint-created": {
    title: "Webhook endpoint created",
    tell: ({ who }) => say`${who} created a ${ENDPOINT}`,
  },
  "webhooks.endpoint-updated": {
    title: "Webhook endpoint changed",
    tell: ({ who, after }) =>
      "dropped_headers" in after
        ? say`${who} changed a ${ENDPOINT}. Its headers stayed behind with the old URL.`
        : say`${who} changed a ${ENDPOINT}`,
  },
  "webhooks.endpoint-deleted": {
    title: "Webhook endpoint deleted",
    tell: ({ who }) => say`${who} deleted a ${ENDPOINT}`,
  },
  "webhooks.secret-rotated": {
    title: "Signing secret rotated",
    tell: ({ who }) => say`${who} rotated the ${SIGNING_SECRET}`,
  },
  "webhooks.secret-revealed": {
    title: "Signing secret revealed",
    tell: ({ who }) => say`${who} revealed the ${SIGNING_SECRET}`,
  },
  "webhooks.resent": {
    title: "Webhook resent",
    tell: (teller) => say`${teller.who} resent ${toDelivery(teller)}`,
  },
  "webhooks.recovered": {
    title: "Missed webhooks resent",
    tell: ({ who, after }) =>
      say`${who} resent ${Number(after["recovered"]).toLocaleString("en-US")} missed webhooks`,
  },
  "webhooks.inbox-created": {
    title: "Test inbox created",
    tell: ({ who }) => say`${who} created the ${{ text: "test inbox", href: PAGE }}`,
  },
};

/** Whether it is about an endpoint other than the account's. */
function isFurther(teller: Teller): boolean {
  return teller.text("endpoint") !== "";
}

function toDelivery(teller: Teller) {
  return { text: "a webhook", href: `${PAGE}/deliveries/${teller.text("delivery")}` };
}

function toSwitchOffReason(teller: Teller): string {
  const reason = teller.text("reason");
  return Object.entries(SWITCH_OFF_REASONS).find(([each]) => each === reason)?.[1] ?? "";
}
