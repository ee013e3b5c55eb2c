import type { Elements } from "../../../ui/elements.ts";
import { EndpointStateLabel } from "../../../ui/endpoint-state.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { ReachFacts, toCount } from "../../../ui/reach-facts.tsx";
import { env } from "#lib/base/env.ts";
import { RECOVERABLE_DAYS } from "#lib/webhooks/recovery.ts";
import { SWITCH_OFF_REASONS, SEND_DISABLED_REASONS } from "#lib/webhooks/delivery-states.ts";
import type { EndpointHealth } from "#lib/webhooks/endpoint-health.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Where notifications go and how the endpoint is doing, with its actions. */
export function EndpointPanel({
  health,
  disabledReason,
  actions,
}: {
  health: EndpointHealth;
  /** The buttons that change the endpoint. */
  actions: Elements;
  /** Why this person may not change anything; null if they may. */
  disabledReason: string | null;
}) {
  const { endpoint, missed } = health;
  const headers = Object.keys(endpoint.headers);
  const { webhookAddresses } = env();
  return (
    <Panel action={<EndpointStateLabel endpoint={endpoint} />} title="Endpoint">
      <div className="flex flex-col gap-4">
        {endpoint.webhookUrl === null ? (
          <p>No webhook endpoint yet.</p>
        ) : (
          <p className="font-mono text-sm break-all">{endpoint.webhookUrl}</p>
        )}
        <p className={endpoint.state === "switched_off" ? "text-declined" : "text-muted"}>
          {toSentence(endpoint)}
        </p>
        <Facts>
          {endpoint.switchedOffAt && (
            <Fact term="Disabled">
              <Time at={endpoint.switchedOffAt} />
            </Fact>
          )}
          <ReachFacts health={health} />
          <Fact term="Failed or stopped">{toCount(missed)}</Fact>
          {endpoint.format === "chat" && <Fact term="Sends">Sentences, for a chat</Fact>}
          {endpoint.events && <Fact term="Events">{endpoint.events.join(", ")}</Fact>}
          {headers.length > 0 && <Fact term="Headers">{headers.join(", ")}</Fact>}
          {webhookAddresses && <Fact term="Sent from">{webhookAddresses.join(", ")}</Fact>}
        </Facts>
        <div className="flex flex-wrap items-start gap-2">
          {actions}
          <EndpointActions
            endpointId={endpoint.id}
            isSwitchedOff={endpoint.state === "switched_off"}
            disabledReasons={{
              enable: disabledReason,
              recover: disabledReason ?? SEND_DISABLED_REASONS[endpoint.state],
            }}
            since={toSince(health)}
          />
        </div>
      </div>
    </Panel>
  );
}

function toSentence({ state, events, switchedOffReason, failingSince }: Endpoint): string {
  if (state === "off") {
    return "Nothing is sent until you set a URL. Events are still recorded.";
  }
  if (state === "switched_off") {
    const reason = switchedOffReason ? SWITCH_OFF_REASONS[switchedOffReason] : "";
    return `${reason} Events are still recorded, but nothing is sent until you enable webhooks.`;
  }
  if (failingSince) {
    return "Recent attempts failed. Retries continue; webhooks are disabled after 120 hours without a successful delivery.";
  }
  return `${events ? "Each of its events" : "Every event"} is signed and sent here once its change is committed.`;
}

/**
 * The earliest time from which missed notifications can be recovered, rounded down to the minute, because a field
 * sends what it shows.
 */
function toSince({ missedSince, endpoint }: EndpointHealth): string {
  const now = Date.now();
  const known = missedSince ?? endpoint.lastSuccessAt ?? new Date(now - DAY_MS);
  const earliest = now - RECOVERABLE_DAYS * DAY_MS + MINUTE_MS;
  const at = Math.max(known.getTime(), earliest);
  return new Date(Math.floor(at / MINUTE_MS) * MINUTE_MS).toISOString();
}
