import { message } from "#lib/messages/internal/message.ts";

export const endpointBack = message<{ host: string; path: string }>({
  kind: "endpoint.back",
  name: "Webhook endpoint works again",
  to: ["owner", "admin"],
  topic: "webhooks",
  write: ({ businessName, host, path }) => ({
    subject: `A webhook endpoint of ${businessName} works again`,
    lines: [
      `A delivery to ${host} has succeeded. Deliveries that failed meanwhile are tried again.`,
    ],
    action: { label: "Look at the endpoint", path },
  }),
});
