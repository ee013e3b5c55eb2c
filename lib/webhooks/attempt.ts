import { webhookAttempted } from "#lib/base/signals.ts";
import type { Claim } from "#lib/webhooks/claim.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { toPolicyFor } from "#lib/webhooks/inbox-address.ts";
import type { CompletedAttempt } from "#lib/webhooks/record.ts";
import { send } from "#lib/webhooks/send.ts";
import { toSignatureHeaders } from "#lib/webhooks/signature.ts";

/** Attempts a claimed delivery once, signed at the time of the attempt. */
export async function attempt(
  claim: Claim,
  policy: EndpointPolicy,
  stop: AbortSignal,
): Promise<CompletedAttempt> {
  const { eventId: id, body, secrets, url, inboxTokenHash, claimedAt: startedAt } = claim;
  const requestHeaders = {
    "Content-Type": "application/json",
    "User-Agent": "Floatdeck-Webhooks/1.0",
    ...toSignatureHeaders({ id, at: startedAt, body, secrets }),
  };
  const ownPolicy = toPolicyFor(url, inboxTokenHash, policy);
  const outcome = await send({ url, headers: requestHeaders, body }, ownPolicy, stop);
  webhookAttempted.report(outcome);
  return { claim, outcome, startedAt, requestHeaders };
}
