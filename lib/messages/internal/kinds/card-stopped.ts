import { message } from "#lib/messages/internal/message.ts";

export const cardStopped = message<{ last4: string; isByRule: boolean; path: string }>({
  kind: "card.stopped",
  name: "Card frozen",
  to: ["admin", "operator"],
  topic: "cards",
  write: ({ businessName, last4, isByRule, path }) => ({
    subject: `The card ending in ${last4} was frozen ${isByRule ? "by a rule" : "by compliance"}`,
    lines: [
      isByRule
        ? `A setting of ${businessName} froze it. Until somebody unfreezes it, it declines every purchase.`
        : "Until that freeze is lifted, it declines every purchase.",
    ],
    action: { label: "Look at the card", path },
  }),
});
