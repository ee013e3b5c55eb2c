import { message } from "#lib/messages/internal/message.ts";
import { toUnlessYou } from "#lib/messages/internal/unless-you.ts";

export const passwordChanged = message<{ name: string; address: string | null }>({
  kind: "password.changed",
  name: "Password changed",
  to: ["person"],
  topic: null,
  write: ({ businessName, address }) => ({
    subject: "Your password was changed",
    lines: [
      `The password of your account at ${businessName} was changed, and other sessions have ended.`,
      toUnlessYou(address),
    ],
    action: { label: "Look at your security settings", path: "/settings/security" },
  }),
});
