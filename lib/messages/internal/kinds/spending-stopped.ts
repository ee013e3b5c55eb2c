import { message } from "#lib/messages/internal/message.ts";

export const spendingStopped = message<{ isByOperator: boolean }>({
  kind: "spending.stopped",
  name: "Spending suspended",
  to: ["owner"],
  topic: null,
  write: ({ businessName, isByOperator }) => ({
    subject: `All spending on the cards of ${businessName} is suspended`,
    lines: [
      isByOperator
        ? "The operator of this server suspended the account: its cards decline every purchase. Earlier approvals are still captured."
        : "A check of the account's books found amounts that do not add up. Until the operator of this server has resolved it, its cards decline every purchase.",
      "Ask the operator what to do.",
    ],
    action: { label: "Open the dashboard", path: "/overview" },
  }),
});
