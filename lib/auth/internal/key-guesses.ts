import { returnToken, takeToken } from "#lib/base/rate.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toNetwork } from "#lib/base/ip-address.ts";

/** How many refused keys a network may send before it has to wait. */
const BAD_KEYS = { perSecond: 20 / 60, burst: 20 } as const;

/** Key lookups in progress, by network. Each holds a token until the key is known to be good or bad. */
const inProgress = new Map<string, Set<Promise<unknown>>>();

/**
 * Counts a key that is refused without a lookup.
 * @throws DomainError `rate_limited`.
 */
export function countBadKey(address: string | null): void {
  if (!takeToken(toBucket(address), BAD_KEYS).allowed) {
    throw tooManyBadKeys();
  }
}

/**
 * Looks up a key that has not been verified before. It counts as bad during the lookup, so that concurrent
 * guesses cause no more lookups than sequential ones. Requests beyond the limit wait for the lookups in
 * progress, which return their tokens when their keys are good.
 * @param lookUp returns undefined for a bad key. It is called again after a wait, so it should cache good
 * keys.
 * @throws DomainError `rate_limited`, and whatever the lookup throws.
 */
export async function lookUpCounted<T>(
  address: string | null,
  lookUp: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const bucket = toBucket(address);
  while (!takeToken(bucket, BAD_KEYS).allowed) {
    const others = inProgress.get(bucket);
    if (!others) {
      throw tooManyBadKeys();
    }
    await Promise.race(others);
  }
  const answer = lookUp();
  const looking = inProgress.get(bucket) ?? new Set();
  inProgress.set(bucket, looking.add(answer));
  try {
    const found = await answer;
    if (found !== undefined) {
      returnToken(bucket, BAD_KEYS);
    }
    return found;
  } catch (error) {
    returnToken(bucket, BAD_KEYS);
    throw error;
  } finally {
    looking.delete(answer);
    if (looking.size === 0) {
      inProgress.delete(bucket);
    }
  }
}

function toBucket(address: string | null): string {
  return `bad key ${toNetwork(address)}`;
}

function tooManyBadKeys(): DomainError {
  return new DomainError("rate_limited", "Too many refused keys from this address; wait a minute.");
}
