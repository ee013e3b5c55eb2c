import { formatMoney } from "#lib/base/money.ts";
import { message } from "#lib/messages/internal/message.ts";

export const floatDeficit = message<{ deficit: number }>({
  kind: "float.deficit",
  name: "Float owes money",
  to: ["owner", "admin"],
  topic: "float",
  write: ({ businessName, currency, deficit }) => ({
    subject: `The float of ${businessName} owes ${formatMoney(deficit, currency)}`,
    lines: [
      "The card network posted a purchase that neither its card nor the float could pay in full. The next funds that the float receives repay it first.",
    ],
    action: { label: "Look at the float", path: "/float" },
  }),
});
