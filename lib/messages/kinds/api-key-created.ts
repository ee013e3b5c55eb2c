import { message } from "#lib/messages/internal/message.ts";

export const apiKeyCreated = message<{ name: string; by: string; scopes: string }>({
  kind: "api_key.created",
  name: "API key created",
  to: ["person", "owner"],
  topic: null,
  write: ({ businessName, name, by, scopes }) => ({
    subject: `A new API key of ${businessName}: ${name}`,
    lines: [
      `${by} created the API key ${name} for the account of ${businessName}.`,
      `It may: ${scopes}.`,
      "If you don't expect this, revoke the key.",
    ],
    action: { label: "Look at the API keys", path: "/developers/api-keys" },
  }),
});
