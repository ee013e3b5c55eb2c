import { message } from "#lib/messages/internal/message.ts";
import { toUnlessYou } from "#lib/messages/internal/unless-you.ts";

export const newBrowser = message<{ name: string; address: string | null }>({
  kind: "sign_in.new_browser",
  name: "Sign-in with a new browser",
  to: ["person"],
  topic: null,
  write: ({ businessName, address }) => ({
    subject: "You signed in with a new browser",
    lines: [
      `Somebody signed in to your account at ${businessName} with a browser that you have not used here before.`,
      toUnlessYou(address),
    ],
    action: { label: "Look at your sessions", path: "/settings/security" },
  }),
});
