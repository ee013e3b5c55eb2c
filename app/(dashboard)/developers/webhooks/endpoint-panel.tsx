import { EndpointStateLabel } from "../../../ui/endpoint-state.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { SWITCH_OFF_REASONS, SEND_OBSTACLES } from "#lib/delivery-states.ts";
import { COUNTED_MAX } from "#lib/endpoint-health.ts";
import type { EndpointHealth } from "#lib/endpoint-health.ts";
import type { Endpoint } from "#lib/endpoints.ts";

const DAY_MS = 86_400_000;

/** Where notifications go and how that place is doing, with what can be done about it. */
export function EndpointPanel({
  health,
  obstacle,
}: {
  health: EndpointHealth;
  /** Why this person may change nothing; null where they may. */
  obstacle: string | null;
}) {
  const { endpoint, pending, missed } = health;
  return (
    <Panel action={<EndpointStateLabel endpoint={endpoint} />} title="Endpoint">
      <div className="flex flex-col gap-4">
        <p className="font-mono text-sm break-all">{endpoint.webhookUrl ?? "No webhook URL"}</p>
        <p className={endpoint.state === "switched_off" ? "text-declined" : "text-muted"}>
          {toSentence(endpoint)}
        </p>
        <Facts>
          {endpoint.switchedOffAt && (
            <Fact term="Switched off">
              <Time at={endpoint.switchedOffAt} />
            </Fact>
          )}
          {endpoint.failingSince && (
            <Fact term="Failing since">
              <Time at={endpoint.failingSince} />
            </Fact>
          )}
          <Fact term="Last success">
            {endpoint.lastSuccessAt ? <Time at={endpoint.lastSuccessAt} /> : "never"}
          </Fact>
          <Fact term="On their way">{toCount(pending)}</Fact>
          <Fact term="Given up or stopped">{toCount(missed)}</Fact>
        </Facts>
        <div className="flex flex-wrap items-start gap-2">
          <LinkButton href="/settings/account" size="sm">
            {endpoint.webhookUrl === null ? "Set the URL" : "Change the URL"}
          </LinkButton>
          <EndpointActions
            isSwitchedOff={endpoint.state === "switched_off"}
            obstacles={{ enable: obstacle, recover: obstacle ?? SEND_OBSTACLES[endpoint.state] }}
            since={toSince(endpoint)}
          />
        </div>
      </div>
    </Panel>
  );
}

function toSentence({ state, switchedOffReason, failingSince }: Endpoint): string {
  if (state === "off") {
    return "Nothing is sent until there is a URL. Events are recorded all the same.";
  }
  if (state === "switched_off") {
    const reason = switchedOffReason ? SWITCH_OFF_REASONS[switchedOffReason] : "";
    return `${reason} Events are recorded, but nothing is sent until notifications are switched on again.`;
  }
  return failingSince
    ? "The last tries failed. They are repeated; after 120 hours without a success notifications are switched off."
    : "Each event is sent here, signed, once its change is committed.";
}

/** A count that ends where counting did. */
export function toCount(count: number): string {
  const text = count.toLocaleString("en-US");
  return count < COUNTED_MAX ? text : `${text} or more`;
}

/** Since when something may have been missed. */
function toSince({ failingSince, lastSuccessAt, switchedOffAt }: Endpoint): string {
  const at = failingSince ?? lastSuccessAt ?? switchedOffAt ?? new Date(Date.now() - DAY_MS);
  return at.toISOString();
}
