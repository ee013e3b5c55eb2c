import { mayConnectTo } from "#lib/webhooks/address.ts";
import type { AddressPolicy } from "#lib/webhooks/address.ts";
import { resolveHost } from "#lib/webhooks/resolve.ts";
import { webhookUrlSchema } from "#lib/base/account-fields.ts";
import { env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";

/** Where this installation lets notifications go, and whom it asks for names. */
export interface EndpointPolicy extends AddressPolicy {
  environment: "sandbox" | "live";
  /** Name servers asked instead of the system's. */
  nameServers?: readonly string[] | undefined;
  /** Certificates trusted instead of the well-known authorities', in PEM. */
  certificates?: string | undefined;
}

/** What a URL turned out to be: somewhere to connect to, or a reason not to. */
export type Target =
  | { outcome: "found"; url: URL; address: string }
  | { outcome: "refused"; detail: string }
  | { outcome: "unresolved"; detail: string }
  | { outcome: "timed_out"; detail: string };

/** The policy of this installation. */
export function endpointPolicy(): EndpointPolicy {
  const { environment, webhookLoopback } = env();
  return { environment, loopback: webhookLoopback };
}

/**
 * Judges where a URL leads at this moment, with every address its host has: one that may not be reached spoils them all.
 * The address answered is the only one that may then be connected to; asked again, the name could answer another.
 */
export async function findTarget(text: string, policy: EndpointPolicy): Promise<Target> {
  const url = URL.parse(text);
  if (!url || !webhookUrlSchema.safeParse(text).success) {
    return { outcome: "refused", detail: "This is not a URL that notifications may go to." };
  }
  if (policy.environment !== "sandbox" && url.protocol !== "https:") {
    return { outcome: "refused", detail: "Notifications go over https only." };
  }
  const resolution = await resolveHost(url.hostname, policy.nameServers);
  if (resolution.outcome === "timed_out") {
    return { outcome: "timed_out", detail: `The name ${url.hostname} did not resolve in time.` };
  }
  const addresses = resolution.outcome === "resolved" ? resolution.addresses : [];
  const [address] = addresses;
  if (address === undefined) {
    return { outcome: "unresolved", detail: `The name ${url.hostname} does not resolve.` };
  }
  const refused = addresses.find((each) => !mayConnectTo(each, policy));
  return refused === undefined
    ? { outcome: "found", url, address }
    : { outcome: "refused", detail: `${url.hostname} leads to an address that is not public.` };
}

/**
 * Judges a URL that is about to be saved. A name that does not resolve yet passes: it is judged again at each try.
 * @returns the refusal, or null; to be thrown inside the request's transaction, so that a repeat gets the same answer.
 */
export async function refuseEndpointUrl(
  text: string | null | undefined,
  policy: EndpointPolicy = endpointPolicy(),
): Promise<DomainError | null> {
  if (text === null || text === undefined) {
    return null;
  }
  const target = await findTarget(text, policy);
  if (target.outcome !== "refused") {
    return null;
  }
  return new DomainError("validation_failed", target.detail, {
    webhook_url: [`This field must lead to a public address: ${target.detail}`],
  });
}
