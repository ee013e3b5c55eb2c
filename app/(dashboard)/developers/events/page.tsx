import type { Metadata } from "next";
import { requireStaffPage } from "../../../staff-page.ts";
import { Live } from "../../../client/live.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { FilterBar } from "../filter-bar.tsx";
import { EventLine } from "./event-line.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { listRecentEvents } from "#lib/webhooks/event-reads.ts";
import { EVENTS } from "#lib/record/events.ts";
import { isId } from "#lib/base/ids.ts";

export const metadata: Metadata = { title: "Events" };

const ROWS = 25;
const PATH = "/developers/events";
const OPTIONS = Object.keys(EVENTS).map((id) => ({ id, name: id }));
const CHOICES = [{ name: "event", label: "Event", all: "All events", options: OPTIONS }] as const;

interface Props {
  searchParams: Promise<{ event?: string; cursor?: string }>;
}

export default async function EventsPage({ searchParams }: Props) {
  const session = await requireStaffPage();
  const { event: given, cursor: from } = await searchParams;
  const event = OPTIONS.find(({ id }) => id === given)?.id;
  const cursor = from && isId(from) ? from : undefined;
  const page = await readAs(session, (ctx) =>
    listRecentEvents(ctx, { event, limit: ROWS, cursor }),
  );
  return (
    <>
      <Live />
      <PageHeader
        description="Everything that happened in your account, as sent to your webhook endpoint."
        title="Events"
      />
      <Panel action={<FilterBar choices={CHOICES} />} flush title="Recent events">
        {page.rows.length === 0 ? (
          <Empty
            action={event && <LinkButton href={PATH}>Show all events</LinkButton>}
            title={event ? "No events found" : "No events yet"}
          >
            {event ? "No events of this type." : "Every change in your account appears here."}
          </Empty>
        ) : (
          <ol aria-label="Events" className="divide-separator divide-y">
            {page.rows.map((each) => (
              <EventLine event={each} key={each.id} />
            ))}
          </ol>
        )}
        <Pager
          firstHref={cursor ? toHref(PATH, { event }) : null}
          nextHref={page.nextCursor && toHref(PATH, { event, cursor: page.nextCursor })}
        />
      </Panel>
    </>
  );
}
