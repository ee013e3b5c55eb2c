import { formatMoney } from "#lib/base/money.ts";
import { message } from "#lib/messages/internal/message.ts";

export const approvalWaiting = message<{
  by: string;
  /** What was asked for, as it follows "to". */
  words: string;
  /** In minor units; null if it moves nothing. */
  amount: number | null;
  path: string;
}>({
  kind: "approval.waiting",
  name: "Approval waiting for you",
  to: ["owner", "admin"],
  topic: "approvals",
  write: ({ businessName, currency, by, words, amount, path }) => ({
    subject:
      amount === null
        ? `${by} asks for your approval`
        : `${by} asks to move ${formatMoney(amount, currency)}`,
    lines: [
      `${by} asks for approval at ${businessName} to ${words}${amount === null ? "" : ` (${formatMoney(amount, currency)})`}. Nothing happens until somebody else approves it.`,
      "If nobody does within seven days, it expires.",
    ],
    action: { label: "Look at the request", path },
  }),
});
