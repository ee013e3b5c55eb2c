import { countSharers, takeToken } from "#lib/base/rate.ts";
import { env } from "#lib/base/env.ts";
import { hashToken } from "#lib/base/one-time-token.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toNetwork } from "#lib/base/ip-address.ts";

const LIVE_PER_SECOND = 100;

/** The header with which a sandbox request asks to be limited, so that a program can experience it. */
export const SIMULATE_LIMIT = "Simulate-Limit";
const SIMULATED_MAX = 100;

/** A burst may use two seconds' worth of requests at once. */
const BURST_S = 2;

/**
 * How many accounts and invitations an address may create. A scenario registers an account, and all scenarios can run
 * twice.
 */
const NEW_PEOPLE = {
  registration: { perSecond: 40 / 600, burst: 40 },
  invitation: { perSecond: 20 / 600, burst: 20 },
} as const;

/** A limit's verdict on a request. */
interface Counted {
  headers: Record<string, string>;
  refusal: DomainError | null;
}

/**
 * Counts a request against its integrator's limit, which is divided among all running servers. Every response has the
 * headers of the IETF draft: the policy is the limit of all servers together, the remainder what this server still
 * accepts. Without a limit there are no headers.
 * @param simulated the request's header of that name; live ignores it.
 * @throws DomainError `validation_failed` for an invalid simulated limit.
 */
export function countRequest(integratorId: string, simulated: string | null): Counted {
  const { environment, sandboxRateLimit } = env();
  if (environment === "live") {
    return count(`integrator ${integratorId}`, LIVE_PER_SECOND);
  }
  const counted = count(`integrator ${integratorId}`, sandboxRateLimit);
  if (simulated === null || counted.refusal) {
    return counted;
  }
  const perSecond = toSimulated(simulated);
  return count(`simulated ${perSecond} ${integratorId}`, perSecond);
}

/** @throws DomainError `validation_failed`. */
function toSimulated(text: string): number {
  const perSecond = Number(text);
  if (!/^\d{1,3}$/u.test(text) || perSecond < 1 || perSecond > SIMULATED_MAX) {
    const sentence = `${SIMULATE_LIMIT} must be a whole number of requests per second, 1 to ${SIMULATED_MAX}.`;
    throw new DomainError("validation_failed", sentence, { [SIMULATE_LIMIT]: [sentence] });
  }
  return perSecond;
}

function count(bucket: string, perSecond: number): Counted {
  if (perSecond === 0) {
    return { headers: {}, refusal: null };
  }
  const burst = perSecond * BURST_S;
  const { allowed, remaining, resetS } = takeToken(bucket, { perSecond, burst });
  return {
    headers: {
      "RateLimit-Policy": `"default";q=${burst};w=${BURST_S}`,
      RateLimit: `"default";r=${remaining};t=${resetS}`,
    },
    refusal: allowed
      ? null
      : new DomainError(
          "rate_limited",
          `At most ${perSecond} requests per second are allowed${describeSharing()}; wait a moment.`,
        ),
  };
}

function describeSharing(): string {
  const servers = countSharers();
  return servers === 1 ? "" : `, divided among ${servers} servers`;
}

/** Limits attempts at one-time links per address. */
const LINKS = { perSecond: 30 / 600, burst: 30 } as const;

/**
 * @throws DomainError `rate_limited` after too many attempts at one-time links from one address.
 */
export function limitLinks(address: string | null): void {
  if (!takeToken(`link ${toNetwork(address)}`, LINKS).allowed) {
    throw new DomainError("rate_limited", "Too many attempts from this address; wait ten minutes.");
  }
}

/** How many password links may be mailed to an email. */
const FORGOTTEN = { perSecond: 3 / 3_600, burst: 3 } as const;

/** Whether a password link may be mailed to this email, known or unknown: nobody's mailbox is flooded. */
export function limitForgotten(email: string): boolean {
  return takeToken(`forgotten ${hashToken(email.trim().toLowerCase())}`, FORGOTTEN).allowed;
}

/** @throws DomainError `rate_limited` after too many registrations from one address. */
export function limitRegistrations(address: string | null): void {
  limitNewPeople("registration", address);
}

/** @throws DomainError `rate_limited` after too many invitations from one address. */
export function limitInvitations(address: string | null): void {
  limitNewPeople("invitation", address);
}

function limitNewPeople(what: keyof typeof NEW_PEOPLE, address: string | null): void {
  if (!takeToken(`${what} ${toNetwork(address)}`, NEW_PEOPLE[what]).allowed) {
    throw new DomainError("rate_limited", `Too many ${what}s from this address; wait ten minutes.`);
  }
}
