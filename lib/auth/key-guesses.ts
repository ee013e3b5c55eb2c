import { returnToken, takeToken } from "#lib/base/rate.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toNetwork } from "#lib/base/ip-address.ts";

/** Refused keys a network may show before it has to wait. */
const BAD_KEYS = { perSecond: 20 / 60, burst: 20 } as const;

/** Look-ups of keys under way, by network: each holds a token until it is known whether the key is good. */
const underWay = new Map<string, Set<Promise<unknown>>>();

/**
 * Counts a key that is refused without a look-up.
 * @throws DomainError `rate_limited`.
 */
export function countBadKey(address: string | null): void {
  if (!takeToken(toBucket(address), BAD_KEYS).allowed) {
    throw tooMany();
  }
}

/**
 * Looks up a key that was not seen good before. It counts as bad while it is looked up, so that any number of guesses at
 * once are no more look-ups than one after the other; those beyond wait for the ones under way, which give their count back
 * when their keys are good.
 * @param lookUp answers undefined for a bad key; is asked again after a wait, so it should remember good ones.
 * @throws DomainError `rate_limited`, and whatever the look-up throws.
 */
export async function lookUpCounted<T>(
  address: string | null,
  lookUp: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const bucket = toBucket(address);
  while (!takeToken(bucket, BAD_KEYS).allowed) {
    const others = underWay.get(bucket);
    if (!others) {
      throw tooMany();
    }
    await Promise.race(others);
  }
  const answer = lookUp();
  const looking = underWay.get(bucket) ?? new Set();
  underWay.set(bucket, looking.add(answer));
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
      underWay.delete(bucket);
    }
  }
}

function toBucket(address: string | null): string {
  return `bad key ${toNetwork(address ?? "unknown")}`;
}

function tooMany(): DomainError {
  return new DomainError("rate_limited", "Too many refused keys from this address; wait a minute.");
}
