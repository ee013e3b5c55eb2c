import { formatMoney } from "#lib/base/money.ts";
import { message } from "#lib/messages/internal/message.ts";

export const floatLow = message<{ balance: number; threshold: number }>({
  kind: "float.low",
  name: "Float low",
  to: ["owner", "admin"],
  topic: "float",
  write: ({ businessName, currency, balance, threshold }) => ({
    subject: `The float of ${businessName} is at ${formatMoney(balance, currency)}`,
    lines: [
      `It is below its threshold of ${formatMoney(threshold, currency)}. Once it is empty, credits are refused.`,
    ],
    action: { label: "Look at the float", path: "/float" },
  }),
});
