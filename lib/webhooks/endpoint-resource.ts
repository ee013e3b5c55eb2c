import { env } from "#lib/base/env.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";

const formatTime = (at: Date | null) => at?.toISOString() ?? null;

export function toEndpointResource(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    webhook_url: endpoint.webhookUrl,
    events: endpoint.events && [...endpoint.events],
    headers: { ...endpoint.headers },
    format: endpoint.format,
    state: endpoint.state,
    switched_off_at: formatTime(endpoint.switchedOffAt),
    switched_off_reason: endpoint.switchedOffReason,
    failing_since: formatTime(endpoint.failingSince),
    last_success_at: formatTime(endpoint.lastSuccessAt),
    last_failure_at: formatTime(endpoint.lastFailureAt),
    previous_secret_until: formatTime(endpoint.previousSecretUntil),
    source_addresses: env().webhookAddresses,
  };
}
