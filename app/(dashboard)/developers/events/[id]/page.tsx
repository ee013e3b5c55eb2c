import type { Metadata } from "next";
import { Link } from "../../../../ui/link.tsx";
import { Breadcrumb } from "../../../../client/breadcrumb.tsx";
import { Live } from "../../../../client/live.tsx";
import { Missing, MISSING } from "../../../../page/missing.tsx";
import { personalPage } from "../../../../page/personal-page.tsx";
import { SentenceText } from "../../../../sentence/sentence-text.tsx";
import { JsonBlock } from "../../../../ui/code-block.tsx";
import { CopyId } from "../../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../../ui/facts.tsx";
import { PageHeader } from "../../../../ui/page-header.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { RecordColumns } from "../../../../ui/record-columns.tsx";
import { ExactTime } from "../../../../ui/time.tsx";
import { EventDeliveries } from "../../event-deliveries.tsx";
import { toEventSentence } from "../event-sentence.ts";
import { findEvent } from "./find-event.ts";
import { toEventResource } from "#lib/api/wire/event.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import type { RecentEvent } from "#lib/webhooks/event-reads.ts";

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findEvent((await params).id);
  return found ? { title: `${toEventResource(found.event).event} · Events` } : MISSING;
}

export default personalPage(EventPage);

async function EventPage(_session: StaffSession, { params }: Props) {
  const found = await findEvent((await params).id);
  if (!found) {
    return <Missing back={{ href: "/developers/events", name: "All events" }} noun="event" />;
  }
  const { event, context } = found;
  const resource = toEventResource(event);
  const sentence = toEventSentence(resource, context);
  return (
    <>
      <Live />
      <Breadcrumb list="/developers/events" name="Events">
        {resource.event}
      </Breadcrumb>
      <PageHeader description={<SentenceText sentence={sentence} />} title={resource.event} />
      <RecordColumns
        main={
          <Panel title="Payload">
            <JsonBlock label="Event" text={event.body} />
          </Panel>
        }
        side={
          <>
            <Details event={event} />
            <Deliveries event={event} />
          </>
        }
      />
    </>
  );
}

function Details({ event }: { event: RecentEvent }) {
  const {
    id,
    event: name,
    subject,
    sequence,
    actor,
    request_id: requestId,
    created_at: at,
  } = toEventResource(event);
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="Reference">
          <Link className="underlined-link font-mono text-xs" href={`/docs/api/events/${name}`}>
            {name}
          </Link>
        </Fact>
        <Fact term="Created">
          <ExactTime at={new Date(at)} />
        </Fact>
        <Fact term="Created by">
          <bdi>{actor.name}</bdi>
        </Fact>
        <Fact term={`ID of the ${subject.type}`}>
          <CopyId id={subject.id} label={`${subject.type} ID`} />
        </Fact>
        <Fact term="Sequence">{`${sequence.toLocaleString("en-US")} of this ${subject.type}`}</Fact>
        <Fact term="Event ID">
          <CopyId id={id} label="event ID" />
        </Fact>
        <Fact term="Request ID">
          <CopyId id={requestId} label="request ID" />
        </Fact>
      </Facts>
    </Panel>
  );
}

function Deliveries({ event: { deliveries } }: { event: RecentEvent }) {
  return (
    <Panel title="Webhook deliveries">
      {deliveries.length === 0 ? (
        <p className="text-muted">
          No delivery on record. Deliveries are kept for 30 days, and none is made while webhooks
          are off.
        </p>
      ) : (
        <EventDeliveries deliveries={deliveries} />
      )}
    </Panel>
  );
}
