import type { Approval } from "#lib/approvals/approvals.ts";
import { formatMoney } from "#lib/base/money.ts";
import { toApprovalWords } from "#lib/messages/approval-words.ts";

/** What somebody has requested, as a phrase that follows "to": `credit a card ($2,500.00)`. */
export function toApprovalTitle(
  { operation, amount }: Pick<Approval, "operation" | "amount">,
  currency: string,
): string {
  const words = toApprovalWords(operation);
  return amount === null ? words : `${words} (${formatMoney(amount, currency)})`;
}
