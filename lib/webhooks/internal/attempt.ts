import { webhookAttempted } from "#lib/base/signals.ts";
import { startSpan } from "#lib/base/tracing.ts";
import type { Span } from "#lib/base/tracing.ts";
import { hasBadPort } from "#lib/webhooks/bad-ports.ts";
import type { Claim } from "#lib/webhooks/internal/claim.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { toPolicyFor } from "#lib/webhooks/internal/inbox-address.ts";
import { redact } from "#lib/webhooks/internal/endpoint-headers.ts";
import type { CompletedAttempt } from "#lib/webhooks/internal/record.ts";
import { send } from "#lib/webhooks/internal/send.ts";
import { toSignatureHeaders } from "#lib/webhooks/internal/signature.ts";

/** Attempts a claimed delivery once, signed at the time of the attempt. */
export async function attempt(
  claim: Claim,
  policy: EndpointPolicy,
  stop: AbortSignal,
): Promise<CompletedAttempt> {
  const { eventId: id, body, secrets, url, inboxTokenHash, claimedAt: startedAt } = claim;
  const span = startAttemptSpan(claim);
  const traceparent = span?.traceparent ?? claim.traceparent;
  const requestHeaders = {
    "Content-Type": "application/json",
    "User-Agent": "Floatdeck-Webhooks/1.0",
    ...toSignatureHeaders({ id, at: startedAt, body, secrets }),
    ...(traceparent === null ? {} : { traceparent }),
  };
  const known = claim.isInUse && hasBadPort(url) ? { ...policy, portInUse: true } : policy;
  const ownPolicy = toPolicyFor(url, inboxTokenHash, known);
  const sent = { ...claim.headers, ...requestHeaders };
  const result = await send({ url, headers: sent, body }, ownPolicy, stop);
  webhookAttempted.report({ ...result, waitedMs: claim.waitedMs });
  const { status, failure } = result;
  span?.end(status === null ? {} : { "http.response.status_code": status }, failure);
  return {
    claim,
    result,
    startedAt,
    requestHeaders: { ...redact(claim.headers), ...requestHeaders },
  };
}

/** Continues the trace of the request that caused the event. Without one, the attempt is not traced. */
function startAttemptSpan({ traceparent, number }: Claim): Span | null {
  return traceparent === null
    ? null
    : startSpan({
        name: "webhook",
        kind: "client",
        parent: traceparent,
        attributes: { "http.request.method": "POST", "floatdeck.attempt": number },
      });
}
