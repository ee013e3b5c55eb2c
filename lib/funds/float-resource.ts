import type { Float } from "#lib/funds/funds.ts";

export function toFloatResource(float: Float) {
  return {
    id: float.id,
    balance: float.balance,
    currency: float.currency,
    available: float.available,
    deficit: float.deficit,
    low_balance_threshold: float.lowBalanceThreshold,
    updated_at: float.updatedAt.toISOString(),
  };
}
