import type { DeclaredActions } from "#lib/audit/action.ts";
import { say } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";
import { SWITCH_OFF_REASONS } from "#lib/webhooks/delivery-states.ts";

const PAGE = "/developers/webhooks";
const ENDPOINT = { text: "webhook endpoint", href: PAGE };
const SIGNING_SECRET = { text: "signing secret", href: PAGE };

export const WEBHOOK_ACTIONS: DeclaredActions = {
  "webhooks.enabled": {
    title: "Webhooks enabled",
    format: (formatter) =>
      isFurther(formatter)
        ? say`${formatter.who} enabled a ${ENDPOINT}`
        : say`${formatter.who} enabled ${{ text: "webhooks", href: PAGE }}`,
  },
  "webhooks.switched-off": {
    title: "Webhooks disabled",
    format: (formatter) =>
      isFurther(formatter)
        ? say`A ${ENDPOINT} was disabled. ${toSwitchOffReason(formatter)}`
        : say`${{ text: "Webhooks", href: PAGE }} were disabled. ${toSwitchOffReason(formatter)}`,
  },
  "webhooks.endpoint-created": {
    title: "Webhook endpoint created",
    format: ({ who }) => say`${who} created a ${ENDPOINT}`,
  },
  "webhooks.endpoint-updated": {
    title: "Webhook endpoint changed",
    format: ({ who, after }) =>
      "dropped_headers" in after
        ? say`${who} changed a ${ENDPOINT}. Its headers stayed behind with the old URL.`
        : say`${who} changed a ${ENDPOINT}`,
  },
  "webhooks.endpoint-deleted": {
    title: "Webhook endpoint deleted",
    format: ({ who }) => say`${who} deleted a ${ENDPOINT}`,
  },
  "webhooks.secret-rotated": {
    title: "Signing secret rotated",
    format: ({ who }) => say`${who} rotated the ${SIGNING_SECRET}`,
  },
  "webhooks.secret-revealed": {
    title: "Signing secret revealed",
    format: ({ who }) => say`${who} revealed the ${SIGNING_SECRET}`,
  },
  "webhooks.resent": {
    title: "Webhook resent",
    format: (formatter) => say`${formatter.who} resent ${toDelivery(formatter)}`,
  },
  "webhooks.recovered": {
    title: "Missed webhooks resent",
    format: ({ who, after }) =>
      say`${who} resent ${Number(after["recovered"]).toLocaleString("en-US")} missed webhooks`,
  },
  "webhooks.inbox-created": {
    title: "Test inbox created",
    format: ({ who }) => say`${who} created the ${{ text: "test inbox", href: PAGE }}`,
  },
};

/** Whether the entry is about a further endpoint: any except the account's own. */
function isFurther(formatter: EventFormatter): boolean {
  return formatter.text("endpoint") !== "";
}

function toDelivery(formatter: EventFormatter) {
  return { text: "a webhook", href: `${PAGE}/deliveries/${formatter.text("delivery")}` };
}

function toSwitchOffReason(formatter: EventFormatter): string {
  const reason = formatter.text("reason");
  return Object.entries(SWITCH_OFF_REASONS).find(([each]) => each === reason)?.[1] ?? "";
}
