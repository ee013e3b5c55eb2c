import Link from "next/link";
import { EndpointStateLabel } from "../../ui/endpoint-state.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Time } from "../../ui/time.tsx";
import { toCount } from "../developers/webhooks/endpoint-panel.tsx";
import type { EndpointHealth } from "#lib/endpoint-health.ts";

/** Whether notifications are sent and arrive. */
export function WebhookHealth({ health }: { health: EndpointHealth }) {
  const { endpoint, pending } = health;
  return (
    <Panel
      action={
        <Link className="text-link underline underline-offset-4" href="/developers/webhooks">
          Deliveries
        </Link>
      }
      title="Webhooks"
    >
      {endpoint.webhookUrl === null ? (
        <div className="flex flex-col items-start gap-3">
          <p className="text-muted">No program of yours is told what happens.</p>
          <LinkButton href="/settings/account" size="sm">
            Set the webhook URL
          </LinkButton>
        </div>
      ) : (
        <Facts>
          <Fact term="Notifications">
            <EndpointStateLabel endpoint={endpoint} />
          </Fact>
          {endpoint.failingSince && (
            <Fact term="Failing since">
              <Time at={endpoint.failingSince} />
            </Fact>
          )}
          <Fact term="Last success">
            {endpoint.lastSuccessAt ? <Time at={endpoint.lastSuccessAt} /> : "never"}
          </Fact>
          <Fact term="On their way">{toCount(pending)}</Fact>
        </Facts>
      )}
    </Panel>
  );
}
