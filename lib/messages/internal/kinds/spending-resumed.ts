import { message } from "#lib/messages/internal/message.ts";

export const spendingResumed = message<object>({
  kind: "spending.resumed",
  name: "Spending resumed",
  to: ["owner"],
  topic: null,
  write: ({ businessName }) => ({
    subject: `The cards of ${businessName} can be used again`,
    lines: ["The account is no longer suspended. Purchases that were declined are not repeated."],
    action: { label: "Open the dashboard", path: "/overview" },
  }),
});
