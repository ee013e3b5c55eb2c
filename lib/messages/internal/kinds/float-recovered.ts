import { formatMoney } from "#lib/base/money.ts";
import { message } from "#lib/messages/internal/message.ts";

export const floatRecovered = message<{ balance: number }>({
  kind: "float.recovered",
  name: "Float recovered",
  to: ["owner", "admin"],
  topic: "float",
  write: ({ businessName, currency, balance }) => ({
    subject: `The float of ${businessName} is no longer low`,
    lines: [`It is at ${formatMoney(balance, currency)}.`],
    action: { label: "Look at the float", path: "/float" },
  }),
});
