import { Link } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { SecretActions } from "./secret-actions.tsx";
import type { Role } from "#lib/access/roles.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";

/** The secret that signs the deliveries to an endpoint. */
export function SecretPanel({
  endpoint,
  role,
  disabledReason,
}: {
  endpoint: Endpoint;
  role: Role;
  disabledReason: string | null;
}) {
  return (
    <Panel title="Signing secret">
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          Each delivery is signed with this secret, following{" "}
          <a className="underlined-link" href="https://www.standardwebhooks.com" rel="noreferrer">
            Standard Webhooks
          </a>
          . Verify the signature before you trust an event.
        </p>
        {endpoint.previousSecretUntil && (
          <p>
            Previous secrets also sign until <Time at={endpoint.previousSecretUntil} />.
          </p>
        )}
        <SecretActions
          disabledReason={disabledReason ?? (role === "owner" ? null : "Only owners can do this.")}
          endpointId={endpoint.id}
        />
        <Link className="underlined-link" href="/developers/events">
          View events
        </Link>
      </div>
    </Panel>
  );
}
