import Link from "next/link";
import { JsonBlock } from "../../../ui/code-block.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { DeliveryStateLabel } from "../../../ui/delivery-state.tsx";
import { Disclosed } from "../../../ui/disclosed.tsx";
import { Time } from "../../../ui/time.tsx";
import { toEventResource } from "#lib/api/wire/webhook-resources.ts";
import type { RecentEvent } from "#lib/webhooks/event-reads.ts";

/** One event: what happened to what and by whom; opens to its body. */
export function EventLine({ event }: { event: RecentEvent }) {
  const { id, body, delivery } = event;
  const told = toEventResource(event);
  return (
    <li aria-label={told.event}>
      <Disclosed
        summary={
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
            <code className="font-mono text-xs font-medium">{told.event}</code>
            <span className="text-muted text-xs font-normal">
              {told.subject.type} #{told.sequence} · by {told.actor.name} ·{" "}
              <Time at={new Date(told.created_at)} />
            </span>
          </span>
        }
      >
        <p className="text-muted flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
          <span className="flex items-center gap-1">
            {" "}
            event <CopyId id={id} label="event ID" />
          </span>
          <span className="flex items-center gap-1">
            {told.subject.type} <CopyId id={told.subject.id} label={`${told.subject.type} ID`} />
          </span>
          {told.subject.type === "card" && (
            <Link
              className="text-link underline underline-offset-4"
              href={`/cards/${told.subject.id}`}
            >
              View card
            </Link>
          )}
          {delivery === null ? (
            <span>No delivery on record.</span>
          ) : (
            <span className="flex items-center gap-2">
              <DeliveryStateLabel state={delivery} />
              <Link
                className="text-link underline underline-offset-4"
                href={`/developers/webhooks/deliveries/${id}`}
              >
                View delivery
              </Link>
            </span>
          )}
        </p>
        <JsonBlock label="Payload" text={body} />
      </Disclosed>
    </li>
  );
}
