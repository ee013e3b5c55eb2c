import { message } from "#lib/messages/internal/message.ts";
import { toUnlessYou } from "#lib/messages/internal/unless-you.ts";

export const secondFactorChanged = message<{ name: string; address: string | null; isOn: boolean }>(
  {
    kind: "second_factor.changed",
    name: "Two-factor authentication changed",
    to: ["person", "owner"],
    topic: null,
    write: ({ businessName, name, address, isOn }) => ({
      subject: `Two-factor authentication of ${name} was turned ${isOn ? "on" : "off"}`,
      lines: [
        `${name} ${isOn ? "now needs a code" : "no longer needs a code"} to sign in to the account of ${businessName}.`,
        toUnlessYou(address),
      ],
      action: { label: "Look at your security settings", path: "/settings/security" },
    }),
  },
);
