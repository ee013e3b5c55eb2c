import { formatMoney } from "#lib/base/money.ts";
import { message } from "#lib/messages/internal/message.ts";

export const floatRepaid = message<{ balance: number }>({
  kind: "float.repaid",
  name: "Float owes nothing",
  to: ["owner", "admin"],
  topic: "float",
  write: ({ businessName, currency, balance }) => ({
    subject: `The float of ${businessName} no longer owes anything`,
    lines: [`It is at ${formatMoney(balance, currency)}.`],
    action: { label: "Look at the float", path: "/float" },
  }),
});
