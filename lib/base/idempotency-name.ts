import { hash } from "node:crypto";

/** 128 bits: whoever found two keys with the same name could only confuse their own requests. */
const LENGTH = 32;

/**
 * The hash of an idempotency key, which is stored instead of the key wherever it is kept for good: transfers never
 * change, and a key may name a person whose values are erased later.
 */
export function toIdempotencyName(integratorId: string, key: string): string {
  return hash("sha256", `${integratorId} ${key}`).slice(0, LENGTH);
}
