import type { Metadata } from "next";
import { toDay, toMoments } from "../../../ui/day-range.ts";
import { toId } from "../../../ui/search-params.ts";
import type { Param } from "../../../ui/search-params.ts";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { IgnoredFilters } from "../../../ui/ignored-filters.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { FilterBar } from "../../../ui/filter-bar.tsx";
import { EventLine } from "./event-line.tsx";
import { toEventResource } from "#lib/api/wire/webhook-resources.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { EVENTS } from "#lib/record/declared-events.ts";
import { readNames } from "#lib/record/names.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { listRecentEvents } from "#lib/webhooks/event-reads.ts";

export const metadata: Metadata = { title: "Events" };

const ROWS = 25;
const PATH = "/developers/events";
const OPTIONS = Object.keys(EVENTS).map((id) => ({ id, name: id }));
const CHOICES = [{ name: "event", label: "Event", all: "All events", options: OPTIONS }] as const;

interface Filter {
  event?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

type Search = Readonly<Partial<Record<keyof Filter | "cursor", Param>>>;

export default personalPage(EventsPage);

async function EventsPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const search = await searchParams;
  const filter = {
    event: OPTIONS.find(({ id }) => id === search.event)?.id,
    from: toDay(search.from),
    to: toDay(search.to),
  };
  const cursor = toId(search.cursor);
  const { page, telling } = await readPage(session, filter, cursor);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <Live />
      <PageHeader
        description="Everything that happened in your account, as sent to your webhook endpoint."
        title="Events"
      />
      <Panel action={<FilterBar choices={CHOICES} hasDays />} flush title="Recent events">
        <IgnoredFilters given={{ ...search }} used={filter} />
        {page.rows.length === 0 && (
          <Empty
            action={isFiltered && <LinkButton href={PATH}>Show all events</LinkButton>}
            title={isFiltered ? "No events found" : "No events yet"}
          >
            {isFiltered
              ? "No events match these filters."
              : "Every change in your account appears here."}
          </Empty>
        )}
        {page.rows.length > 0 && (
          <ol
            aria-label="Events"
            className="divide-separator border-separator -mt-px divide-y border-t"
          >
            {page.rows.map((each) => (
              <EventLine event={each} key={each.id} telling={telling} />
            ))}
          </ol>
        )}
        <Pager
          firstHref={cursor ? toHref(PATH, filter) : null}
          nextHref={page.nextCursor && toHref(PATH, { ...filter, cursor: page.nextCursor })}
        />
      </Panel>
    </>
  );
}

function readPage(session: StaffSession, filter: Filter, cursor: string | undefined) {
  return readAs(session, async (ctx) => {
    const { event } = filter;
    const page = await listRecentEvents(ctx, {
      ...toMoments(filter, session.timeZone),
      event,
      limit: ROWS,
      cursor,
    });
    const subjects = page.rows.map((row) => toEventResource(row).subject);
    return {
      page,
      telling: {
        names: await readNames(ctx, subjects),
        currency: session.currency,
      },
    };
  });
}
