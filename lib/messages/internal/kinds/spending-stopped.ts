import { message } from "#lib/messages/internal/message.ts";

const REASONS = {
  suspended:
    "The operator of this server suspended the account: its cards decline every purchase. Earlier approvals are still captured.",
  stopped:
    "The operator of this server stopped the account: its cards decline every purchase, and nobody can change anything. What you see stays readable, and earlier approvals are still captured.",
  books:
    "A check of the account's books found amounts that do not add up. Until the operator of this server has resolved it, its cards decline every purchase.",
};

export const spendingStopped = message<{ reason: keyof typeof REASONS }>({
  kind: "spending.stopped",
  name: "Spending suspended",
  to: ["owner"],
  topic: null,
  write: ({ businessName, reason }) => ({
    subject: `All spending on the cards of ${businessName} is suspended`,
    lines: [REASONS[reason], "Ask the operator what to do."],
    action: { label: "Open the dashboard", path: "/overview" },
  }),
});
