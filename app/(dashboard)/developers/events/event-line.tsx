import { Link } from "../../../ui/link.tsx";
import { SentenceRow } from "../../../sentence/sentence-row.tsx";
import type { SentenceContext } from "#lib/sentences/event-formatter.ts";
import { JsonBlock } from "../../../ui/code-block.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { EventDeliveries } from "../event-deliveries.tsx";
import { toEventSentence } from "./event-sentence.ts";
import { toEventResource } from "#lib/api/wire/event.ts";
import type { RecentEvent } from "#lib/webhooks/event-reads.ts";

/** One event as a sentence; its details are its deliveries and its payload. */
export function EventLine({ event, context }: { event: RecentEvent; context: SentenceContext }) {
  const { id, body, deliveries } = event;
  const resource = toEventResource(event);
  const at = new Date(resource.created_at);
  return (
    <SentenceRow
      aside={<code className="font-mono text-xs">{resource.event}</code>}
      at={at}
      sentence={toEventSentence(resource, context)}
    >
      <p className="text-muted flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
        <code className="font-mono">{resource.event}</code>
        <span>
          <ExactTime at={at} />
        </span>
        <span className="flex items-center gap-1">
          event <CopyId id={id} label="event ID" />
        </span>
        <Link className="underlined-link" href={`/developers/events/${id}`}>
          View event
        </Link>
        <span className="flex items-center gap-1">
          <span>{`${resource.subject.type} #${resource.sequence}`}</span>{" "}
          <CopyId id={resource.subject.id} label={`${resource.subject.type} ID`} />
        </span>
      </p>
      <EventDeliveries deliveries={deliveries} />
      <JsonBlock label="Payload" text={body} />
    </SentenceRow>
  );
}
