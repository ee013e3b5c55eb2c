import { takeToken } from "#lib/base/rate.ts";
import { env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toNetwork } from "#lib/base/ip-address.ts";

const LIVE_PER_SECOND = 100;

/** A burst is two seconds' worth. */
const BURST_S = 2;

/** Registrations from one address. */
const REGISTRATIONS = { perSecond: 20 / 600, burst: 20 } as const;

/**
 * Counts a request of an integrator against its limit. The headers are those of the IETF draft and tell where it stands,
 * refused or not; there are none without a limit.
 */
export function countRequest(integratorId: string): {
  headers: Record<string, string>;
  refusal: DomainError | null;
} {
  const { environment, sandboxRateLimit } = env();
  const perSecond = environment === "live" ? LIVE_PER_SECOND : sandboxRateLimit;
  if (perSecond === 0) {
    return { headers: {}, refusal: null };
  }
  const burst = perSecond * BURST_S;
  const { allowed, remaining, resetS } = takeToken(`integrator ${integratorId}`, {
    perSecond,
    burst,
  });
  return {
    headers: {
      "RateLimit-Policy": `"default";q=${burst};w=${BURST_S}`,
      RateLimit: `"default";r=${remaining};t=${resetS}`,
    },
    refusal: allowed
      ? null
      : new DomainError("rate_limited", `At most ${perSecond} requests a second; wait a moment.`),
  };
}

/** Tries of one-time links from one address. */
const LINKS = { perSecond: 30 / 600, burst: 30 } as const;

/** @throws DomainError `rate_limited` after too many tries of one-time links from one address. */
export function limitLinks(address: string | null): void {
  if (!takeToken(`link ${toNetwork(address ?? "unknown")}`, LINKS).allowed) {
    throw new DomainError("rate_limited", "Too many tries from this address; wait ten minutes.");
  }
}

/** @throws DomainError `rate_limited` after too many registrations from one address. */
export function limitRegistrations(address: string | null): void {
  if (!takeToken(`registration ${toNetwork(address ?? "unknown")}`, REGISTRATIONS).allowed) {
    throw new DomainError(
      "rate_limited",
      "Too many registrations from this address; wait ten minutes.",
    );
  }
}
