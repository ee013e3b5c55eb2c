import { message } from "#lib/messages/internal/message.ts";

export const endpointFailing = message<{ host: string; path: string }>({
  kind: "endpoint.failing",
  name: "Webhook endpoint failing",
  to: ["owner", "admin"],
  topic: "webhooks",
  write: ({ businessName, host, path }) => ({
    subject: `A webhook endpoint of ${businessName} has failed for an hour`,
    lines: [
      `No delivery to ${host} has succeeded for an hour. Events are kept, and deliveries are tried again. An endpoint that fails for days is switched off.`,
    ],
    action: { label: "Look at the endpoint", path },
  }),
});
