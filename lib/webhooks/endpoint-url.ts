import { mayConnectTo } from "#lib/webhooks/internal/address.ts";
import type { AddressPolicy } from "#lib/webhooks/internal/address.ts";
import { resolveHost } from "#lib/webhooks/internal/resolve.ts";
import { hasBadPort } from "#lib/webhooks/bad-ports.ts";
import { webhookUrlSchema } from "#lib/base/account-fields.ts";
import { env } from "#lib/base/env.ts";
import type { Env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";

/** Where this installation may send notifications, and how it resolves names. */
export interface EndpointPolicy extends AddressPolicy {
  environment: "sandbox" | "live";
  /** The base URL of this installation's inboxes; without it, the address rules apply to inboxes, too. */
  publicUrl?: string | undefined;
  /** Whether an endpoint already uses the URL's port, which is then allowed even if it is bad (`hasBadPort`). */
  portInUse?: boolean | undefined;
  /** Name servers to use instead of the system's. */
  nameServers?: readonly string[] | undefined;
  /** Certificates to trust instead of the well-known authorities', in PEM. */
  certificates?: string | undefined;
}

/** The result of judging a URL: the addresses to connect to, one of them at least, or a reason not to. */
export type Target =
  | { kind: "found"; url: URL; addresses: readonly string[] }
  | { kind: "refused"; detail: string }
  | { kind: "unresolved"; detail: string }
  | { kind: "timed_out"; detail: string };

/** Returns the policy of an installation with these settings; by default, of this one. */
export function endpointPolicy(
  {
    environment,
    publicUrl,
    webhookLoopback,
  }: Pick<Env, "environment" | "publicUrl" | "webhookLoopback"> = env(),
): EndpointPolicy {
  return { environment, publicUrl, loopback: webhookLoopback };
}

/**
 * Judges where a URL leads now, considering every address of its host: one disallowed address refuses them
 * all. Only the returned addresses may then be connected to, because a second lookup could return others.
 */
export async function findTarget(text: string, policy: EndpointPolicy): Promise<Target> {
  const url = URL.parse(text);
  if (!url || !webhookUrlSchema.safeParse(text).success) {
    return { kind: "refused", detail: "Webhooks may not be sent to this URL." };
  }
  const detail = judgeParts(url, policy);
  if (detail !== null) {
    return { kind: "refused", detail };
  }
  const resolution = await resolveHost(url.hostname, policy.nameServers);
  if (resolution.kind === "timed_out") {
    return { kind: "timed_out", detail: `The name ${url.hostname} did not resolve in time.` };
  }
  const addresses = resolution.kind === "resolved" ? resolution.addresses : [];
  if (addresses.length === 0) {
    return { kind: "unresolved", detail: `The name ${url.hostname} does not resolve.` };
  }
  const refused = addresses.find((each) => !mayConnectTo(each, policy));
  return refused === undefined
    ? { kind: "found", url, addresses }
    : { kind: "refused", detail: `${url.hostname} resolves to an address that is not public.` };
}

/** Explains why a URL is refused whatever its host resolves to; null when it is not. */
function judgeParts(url: URL, policy: EndpointPolicy): string | null {
  if (policy.environment !== "sandbox" && url.protocol !== "https:") {
    return "Webhooks are sent over https only.";
  }
  return hasBadPort(url.href) && !policy.portInUse && !policy.anyAddress
    ? `The port ${url.port} is another protocol's.`
    : null;
}

/**
 * Judges a URL about to be saved. A name that does not resolve yet passes, because the URL is judged again at
 * each attempt.
 * @returns the refusal, or null. Throw it inside the request's transaction, so that a repeat gets the same
 * answer.
 */
export async function refuseEndpointUrl(
  text: string | null | undefined,
  policy: EndpointPolicy = endpointPolicy(),
): Promise<DomainError | null> {
  if (text === null || text === undefined) {
    return null;
  }
  const target = await findTarget(text, policy);
  if (target.kind !== "refused") {
    return null;
  }
  return new DomainError("validation_failed", target.detail, {
    webhook_url: [`This field must lead to a public web server: ${target.detail}`],
  });
}

/**
 * Requires https of a URL about to be saved outside sandbox.
 * @throws DomainError `validation_failed`.
 */
export function requireWebhookUrl(
  environment: EndpointPolicy["environment"],
  url: string | null | undefined,
): void {
  if (environment === "live" && url && !url.startsWith("https:")) {
    const sentence = "This field must be an https URL, or null.";
    throw new DomainError("validation_failed", sentence, { webhook_url: [sentence] });
  }
}
