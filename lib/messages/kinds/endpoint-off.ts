import { message } from "#lib/messages/internal/message.ts";

export const endpointOff = message<{ host: string; path: string; isGone: boolean }>({
  kind: "endpoint.off",
  name: "Webhook endpoint switched off",
  to: ["owner", "admin"],
  topic: "webhooks",
  write: ({ businessName, host, isGone, path }) => ({
    subject: `A webhook endpoint of ${businessName} is switched off`,
    lines: [
      `${host} ${isGone ? "answered that it is gone" : "has failed for days"}, so nothing is sent to it anymore. Events are kept: once it works again, switch it on, and recover what it missed.`,
    ],
    action: { label: "Look at the endpoint", path },
  }),
});
