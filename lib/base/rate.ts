/** How fast a token bucket fills, and how many tokens it holds. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** How many servers divide each limit among them. */
let sharers = 1;

/** Divides every limit by the number of running servers from now on, so that together they respect it. */
export function divideLimits(servers: number): void {
  sharers = Math.max(1, servers);
}

/** How many servers divide each limit among them. */
export function countSharers(): number {
  return sharers;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Above this number the oldest buckets are dropped. A dropped bucket counts as full. */
const BUCKETS_MAX = 50_000;

const buckets = new Map<string, Bucket>();

/** The remaining tokens of a bucket. */
interface Taken {
  allowed: boolean;
  remaining: number;
  resetS: number;
}

/** Takes one token from this server's share of a bucket that all servers share. Each share holds at least one token. */
export function takeToken(name: string, rate: Rate): Taken {
  return take(name, toShare(rate));
}

/** Takes one token from a bucket of this process alone, for load that only this process bears. */
export function takeOwnToken(name: string, rate: Rate): Taken {
  return take(name, rate);
}

function toShare({ perSecond, burst }: Rate): Rate {
  return { perSecond: perSecond / sharers, burst: Math.max(1, burst / sharers) };
}

function take(name: string, rate: Rate): Taken {
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

/** Returns a token to this server's share, because what it was taken for turned out not to count. */
export function returnToken(name: string, rate: Rate): void {
  const bucket = buckets.get(name);
  if (bucket) {
    bucket.tokens = Math.min(toShare(rate).burst, bucket.tokens + 1);
  }
}

function dropOldest(): void {
  if (buckets.size <= BUCKETS_MAX) {
    return;
  }
  const [oldest] = buckets.keys();
  if (oldest !== undefined) {
    buckets.delete(oldest);
  }
}
