import type { Metadata } from "next";
import { toMoments } from "../../../ui/day-range.ts";
import { LIST_ROWS, isFiltered, readListQuery } from "../../../list/list.ts";
import type { ListQueryOf, Search } from "../../../list/list.ts";
import { ListPanel } from "../../../list/list-panel.tsx";
import { NothingFound } from "../../../list/nothing-found.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EventLine } from "./event-line.tsx";
import { EVENTS_LIST } from "./events-list.ts";
import { toEventResource } from "#lib/api/wire/event.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { readNames } from "#lib/record/names.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { listRecentEvents } from "#lib/webhooks/event-reads.ts";

export const metadata: Metadata = { title: "Events" };

export default personalPage(EventsPage);

async function EventsPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const listQuery = readListQuery(EVENTS_LIST, await searchParams);
  const { page, context } = await readPage(session, listQuery);
  return (
    <>
      <Live />
      <PageHeader
        description="Everything that happened in your account, as sent to your webhook endpoint."
        title="Events"
      />
      <ListPanel listQuery={listQuery} label="Recent events" page={page} session={session}>
        {page.rows.length > 0 ? (
          <ol aria-label="Events" className="divide-separator border-separator divide-y border-t">
            {page.rows.map((each) => (
              <EventLine event={each} key={each.id} context={context} />
            ))}
          </ol>
        ) : (
          <Nothing listQuery={listQuery} />
        )}
      </ListPanel>
    </>
  );
}

function Nothing({ listQuery }: { listQuery: ListQueryOf<typeof EVENTS_LIST> }) {
  return isFiltered(listQuery) ? (
    <NothingFound list={EVENTS_LIST} />
  ) : (
    <Empty title="No events yet">Every change in your account appears here.</Empty>
  );
}

function readPage(session: StaffSession, { values, cursor }: ListQueryOf<typeof EVENTS_LIST>) {
  return readAs(session, async (ctx) => {
    const page = await listRecentEvents(ctx, {
      ...toMoments(values, session.timeZone),
      event: values.event,
      limit: LIST_ROWS,
      cursor,
    });
    const subjects = page.rows.map((row) => toEventResource(row).subject);
    return {
      page,
      context: {
        names: await readNames(ctx, subjects),
        currency: session.currency,
      },
    };
  });
}
