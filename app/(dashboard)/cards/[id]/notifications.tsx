import { Link } from "../../../ui/link.tsx";
import { DeliveryStateLabel } from "../../../ui/delivery-state.tsx";
import { toEndpointName } from "../../../ui/endpoint-name.ts";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { toHref } from "../../../ui/pager.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { listCardDeliveries } from "#lib/webhooks/card-deliveries.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

const ROWS = 5;

/** The last notifications about a card, and whether they arrived. */
export async function Notifications({
  session,
  cardId,
}: {
  session: StaffSession;
  cardId: string;
}) {
  const rows = await readAs(session, (ctx) => listCardDeliveries(ctx, cardId, ROWS));
  return (
    <Panel
      action={
        rows.length > 0 && (
          <Link
            className="underlined-link"
            href={toHref("/developers/webhooks", { card_id: cardId })}
          >
            See all
          </Link>
        )
      }
      flush
      title="Webhook deliveries"
    >
      {rows.length === 0 ? (
        <p className="text-muted p-4">No deliveries for this card in the last 30 days.</p>
      ) : (
        <ul className="divide-separator divide-y">
          {rows.map(({ id, webhookUrl, event, state, failures, createdAt }) => (
            <li key={id}>
              <Link
                className="hover:bg-default flex items-center justify-between gap-3 px-4 py-2"
                href={`/developers/webhooks/deliveries/${id}`}
              >
                <span className="flex min-w-0 flex-col leading-tight">
                  <code className="truncate font-mono text-xs">{event}</code>
                  <span className="text-muted truncate text-xs">{toEndpointName(webhookUrl)}</span>
                  <span className="text-muted text-xs">
                    <Time at={createdAt} />
                  </span>
                </span>
                <DeliveryStateLabel hasFailed={failures > 0} state={state} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
