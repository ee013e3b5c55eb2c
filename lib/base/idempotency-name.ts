import { hash } from "node:crypto";

/** 128 bits suffice: a caller who found two keys with the same name could only confuse their own requests. */
const LENGTH = 32;

/**
 * The hash of an idempotency key. It replaces the key wherever that would be stored permanently: transfers never
 * change, and a key may name a person whose data is erased later.
 */
export function toIdempotencyName(integratorId: string, key: string): string {
  return hash("sha256", `${integratorId} ${key}`).slice(0, LENGTH);
}
