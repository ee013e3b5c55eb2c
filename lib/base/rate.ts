/** How fast a token bucket fills, and how many tokens it holds. */
export interface Rate {
  perSecond: number;
  burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Above this number the oldest buckets are dropped. A dropped bucket counts as full. */
const BUCKETS_MAX = 50_000;

const buckets = new Map<string, Bucket>();

/** Takes one token from a bucket in this process. `resetS` is the time until the bucket is full, in whole seconds. */
export function takeToken(
  name: string,
  rate: Rate,
): { allowed: boolean; remaining: number; resetS: number } {
  const now = performance.now();
  const bucket = buckets.get(name) ?? { tokens: rate.burst, at: now };
  const filled = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1_000) * rate.perSecond);
  const allowed = filled >= 1;
  const tokens = allowed ? filled - 1 : filled;
  buckets.delete(name);
  buckets.set(name, { tokens, at: now });
  dropOldest();
  return {
    allowed,
    remaining: Math.floor(tokens),
    resetS: Math.ceil((rate.burst - tokens) / rate.perSecond),
  };
}

/** Returns a token that was taken for something that turned out not to count. */
export function returnToken(name: string, rate: Rate): void {
  const bucket = buckets.get(name);
  if (bucket) {
    bucket.tokens = Math.min(rate.burst, bucket.tokens + 1);
  }
}

function dropOldest(): void {
  const [oldest] = buckets.keys();
  if (buckets.size > BUCKETS_MAX && oldest !== undefined) {
    buckets.delete(oldest);
  }
}
