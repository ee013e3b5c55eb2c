import type { Purchase, Refund } from "./money-rules.ts";

/** What the model of money knows of refunds. */

/** How much of a purchase can be refunded. */
export function toRefundable({ amount, refunded, takenBack }: Purchase): number {
  return takenBack ? 0 : amount - refunded;
}

/** Repays the float what it paid for a purchase and for its reversed refunds. Returns how much. */
export function giveBack(
  purchase: Purchase | undefined,
  refunds: readonly Refund[],
  amount: number,
): number {
  let rest = amount;
  const own = refunds.filter((refund) => purchase && refund.purchase === purchase);
  for (const owing of purchase ? [purchase, ...own] : []) {
    const back = Math.min(owing.coverLeft, rest);
    owing.coverLeft -= back;
    rest -= back;
  }
  return amount - rest;
}

/** Adds up what is refunded of a purchase. */
export function addRefunds(purchase: Purchase | undefined, refunds: readonly Refund[]): void {
  if (purchase) {
    const own = refunds.filter((refund) => refund.purchase === purchase && !refund.takenBack);
    const sum = own.reduce((total, { amount }) => total + amount, 0);
    purchase.refunded = Math.min(purchase.amount, sum);
  }
}
