import { Link } from "../../../ui/link.tsx";
import { SentenceRow } from "../../../sentence/sentence-row.tsx";
import type { Telling } from "#lib/sentences/teller.ts";
import { JsonBlock } from "../../../ui/code-block.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { EventDeliveries } from "../event-deliveries.tsx";
import { toEventSentence } from "./event-sentence.ts";
import { toEventResource } from "#lib/api/wire/event.ts";
import type { RecentEvent } from "#lib/webhooks/event-reads.ts";

/** One event as a sentence; its details are its deliveries and its payload. */
export function EventLine({ event, telling }: { event: RecentEvent; telling: Telling }) {
  const { id, body, deliveries } = event;
  const told = toEventResource(event);
  const at = new Date(told.created_at);
  return (
    <SentenceRow
      aside={<code className="font-mono text-xs">{told.event}</code>}
      at={at}
      sentence={toEventSentence(told, telling)}
    >
      <p className="text-muted flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
        <code className="font-mono">{told.event}</code>
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
          <span>{`${told.subject.type} #${told.sequence}`}</span>{" "}
          <CopyId id={told.subject.id} label={`${told.subject.type} ID`} />
        </span>
      </p>
      <EventDeliveries deliveries={deliveries} />
      <JsonBlock label="Payload" text={body} />
    </SentenceRow>
  );
}
