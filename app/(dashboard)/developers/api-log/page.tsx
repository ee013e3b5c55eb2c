import type { Metadata } from "next";
import { toMoments } from "../../../ui/day-range.ts";
import { toId, toText } from "../../../ui/search-params.ts";
import type { Param } from "../../../ui/search-params.ts";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { IgnoredFilters } from "../../../ui/ignored-filters.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { SegmentedLinks } from "../../../ui/segmented-links.tsx";
import { FilterBar } from "../../../ui/filter-bar.tsx";
import { toChoices, toLogFilter } from "./log-filter.ts";
import type { LogFilter } from "./log-filter.ts";
import { LogTable } from "./log-table.tsx";
import { LogTabs } from "./log-tabs.tsx";
import { listApiKeys } from "#lib/access/api-keys.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { listRequests } from "#lib/record/request-log.ts";
import type { LoggedRequest } from "#lib/record/request-log.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "API log" };

const ROWS = 50;
const PATH = "/developers/api-log";
/** A request is logged within half a second, so it is on the page within two seconds. */
const TAIL_MS = 1_000;

type Search = Readonly<Partial<Record<keyof LogFilter | "cursor" | "live", Param>>>;

export default personalPage(ApiLogPage);

async function ApiLogPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const search = await searchParams;
  const filter = toLogFilter(search);
  const cursor = toId(search.cursor);
  const isPaused = toText(search.live) === "off";
  const { page, callers } = await readPage(session, filter, cursor);
  const isFollowed = cursor === undefined && !isPaused;
  return (
    <>
      {isFollowed && <Live everyMs={TAIL_MS} />}
      <PageHeader
        action={<LogTabs current="Requests" />}
        description="Every API request of the last 30 days and its response. Bodies are redacted, and kept for 7 days."
        title="API log"
      />
      <Panel
        action={cursor === undefined && <Tail filter={filter} isPaused={isPaused} />}
        flush
        title="Requests"
      >
        <div className="border-separator border-b px-4 py-2">
          <FilterBar choices={toChoices(callers)} hasCard hasDays hasRequest />
        </div>
        <IgnoredFilters given={{ ...search }} used={{ ...filter }} />
        <LogTable empty={<Nothing filter={filter} page={page} />} requests={page.rows} />
        {page.nextCursor !== null && page.rows.length < ROWS && page.rows.length > 0 && (
          <p className="text-muted border-separator border-t px-4 py-2 text-xs" role="status">
            Not everything has been searched yet. The next page looks through older requests.
          </p>
        )}
        <Pager
          firstHref={cursor ? toHref(PATH, { ...filter }) : null}
          nextHref={page.nextCursor && toHref(PATH, { ...filter, cursor: page.nextCursor })}
        />
      </Panel>
    </>
  );
}

/** Switches whether new requests appear automatically. */
function Tail({ filter, isPaused }: { filter: LogFilter; isPaused: boolean }) {
  return (
    <SegmentedLinks
      label="New requests"
      links={[
        { name: "Live", href: toHref(PATH, { ...filter }), isCurrent: !isPaused },
        { name: "Paused", href: toHref(PATH, { ...filter, live: "off" }), isCurrent: isPaused },
      ]}
    />
  );
}

function Nothing({ filter, page }: { filter: LogFilter; page: { nextCursor: string | null } }) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (!isFiltered) {
    return (
      <Empty
        action={<LinkButton href="/developers/api-keys">API keys</LinkButton>}
        title="No requests yet"
      >
        Call the API with one of your keys. The request appears here within two seconds.
      </Empty>
    );
  }
  return (
    <Empty
      action={<LinkButton href={PATH}>Show all requests</LinkButton>}
      title="No requests found"
    >
      {page.nextCursor === null
        ? "No requests match these filters. Requests are kept for 30 days."
        : "None of the requests searched so far match these filters. The next page looks through older ones."}
    </Empty>
  );
}

function readPage(session: StaffSession, filter: LogFilter, cursor: string | undefined) {
  return readAs(session, async (ctx) => {
    const page = await listRequests(ctx, {
      ...toMoments(filter, session.timeZone),
      operation: filter.operation,
      status: filter.status && [filter.status],
      code: filter.code,
      actorId: filter.actor_id,
      apiVersion: filter.api_version,
      cardId: filter.card_id,
      requestId: filter.request_id,
      limit: ROWS,
      cursor,
    });
    // Offering all keys takes the scope that lists them.
    const keys = session.actor.scopes.has("keys:manage") ? await listApiKeys(ctx) : [];
    return { page, callers: toCallers(keys, page.rows) };
  });
}

/** The keys, and the senders of the listed requests: also people, and keys that this person may not list. */
function toCallers(
  keys: readonly { id: string; name: string }[],
  requests: readonly LoggedRequest[],
): { id: string; name: string }[] {
  const seen = requests.flatMap(({ actor }) =>
    actor && actor.id !== null ? [{ id: actor.id, name: actor.name }] : [],
  );
  const named = [...keys, ...seen].map(({ id, name }) => [id, { id, name }] as const);
  return [...new Map(named).values()];
}
