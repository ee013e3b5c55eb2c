import { Link } from "../../ui/link.tsx";
import { EndpointStateLabel } from "../../ui/endpoint-state.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ReachFacts } from "../../ui/reach-facts.tsx";
import type { EndpointHealth } from "#lib/webhooks/endpoint-health.ts";

/** Whether notifications are sent and arrive. */
export function WebhookHealth({ health }: { health: EndpointHealth }) {
  const { endpoint } = health;
  return (
    <Panel
      action={
        <Link className="underlined-link" href="/developers/webhooks">
          Deliveries
        </Link>
      }
      title="Webhooks"
    >
      {endpoint.webhookUrl === null ? (
        <div className="flex flex-col items-start gap-3">
          <p className="text-muted">No webhook endpoint yet.</p>
          <LinkButton href="/settings/account" size="sm">
            Set webhook URL
          </LinkButton>
        </div>
      ) : (
        <Facts>
          <Fact term="Status">
            <EndpointStateLabel endpoint={endpoint} />
          </Fact>
          <ReachFacts health={health} />
        </Facts>
      )}
    </Panel>
  );
}
