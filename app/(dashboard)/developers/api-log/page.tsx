import type { Metadata } from "next";
import { toMoments } from "../../../ui/day-range.ts";
import { toText } from "../../../ui/search-params.ts";
import { toCardOptions } from "../../../list/card-options.ts";
import { LIST_ROWS, isFiltered, readListQuery, toListHref } from "../../../list/list.ts";
import type { Option } from "../../../list/field.ts";
import type { ListQueryOf, Search } from "../../../list/list.ts";
import { chooseColumns } from "../../../list/look.ts";
import { ListPanel } from "../../../list/list-panel.tsx";
import { NothingFound, NothingFoundSoFar } from "../../../list/nothing-found.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { SegmentedLinks } from "../../../ui/segmented-links.tsx";
import { LogTabs } from "./log-tabs.tsx";
import { REQUEST_COLUMNS, REQUESTS } from "./requests-list.tsx";
import { listApiKeys } from "#lib/access/api-keys.ts";
import { readAs } from "#lib/auth/page-session.ts";
import type { Page } from "#lib/base/paging.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { listRequests } from "#lib/record/request-log.ts";
import type { LoggedRequest } from "#lib/record/request-log.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "API log" };

/** A request is logged within half a second, so it is on the page within two seconds. */
const TAIL_MS = 1_000;

type RequestsQuery = ListQueryOf<typeof REQUESTS>;

export default personalPage(ApiLogPage);

async function ApiLogPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const listQuery = readListQuery(REQUESTS, await searchParams);
  const isFirst = listQuery.cursor === undefined;
  const isPaused = toText(listQuery.given["live"]) === "off";
  const { page, callers, card } = await readPage(session, listQuery);
  return (
    <>
      {isFirst && !isPaused && <Live everyMs={TAIL_MS} />}
      <PageHeader
        action={<LogTabs current="Requests" />}
        description="Every API request of the last 30 days and its response. Bodies are redacted, and kept for 7 days."
        title="API log"
      />
      <ListPanel
        action={isFirst && <Tail listQuery={listQuery} isPaused={isPaused} />}
        listQuery={listQuery}
        label="Requests"
        names={{ actor_id: callers, card_id: toCardOptions(card) }}
        page={page}
        session={session}
      >
        <DataTable
          columns={chooseColumns(REQUEST_COLUMNS, listQuery.values)}
          density={listQuery.values.density}
          empty={<Nothing listQuery={listQuery} page={page} />}
          hrefOf={({ id }) => `${REQUESTS.path}/${id}`}
          idOf={({ id }) => id}
          items={page.rows}
          label="Requests"
        />
      </ListPanel>
    </>
  );
}

/** Switches whether new requests appear automatically. */
function Tail({ listQuery, isPaused }: { listQuery: RequestsQuery; isPaused: boolean }) {
  return (
    <SegmentedLinks
      label="New requests"
      links={[
        { name: "Live", href: toListHref(listQuery), isCurrent: !isPaused },
        { name: "Paused", href: toListHref(listQuery, { live: "off" }), isCurrent: isPaused },
      ]}
    />
  );
}

function Nothing({ listQuery, page }: { listQuery: RequestsQuery; page: Page<LoggedRequest> }) {
  if (!isFiltered(listQuery)) {
    return (
      <Empty
        action={<LinkButton href="/developers/api-keys">API keys</LinkButton>}
        title="No requests yet"
      >
        Call the API with one of your keys. The request appears here within two seconds.
      </Empty>
    );
  }
  return page.nextCursor === null ? (
    <NothingFound list={REQUESTS} />
  ) : (
    <NothingFoundSoFar list={REQUESTS} />
  );
}

function readPage(session: StaffSession, { values, cursor }: RequestsQuery) {
  return readAs(session, async (ctx) => {
    const page = await listRequests(ctx, {
      ...toMoments(values, session.timeZone),
      operation: values.operation,
      status: values.status && [values.status],
      code: values.code,
      actorId: values.actor_id,
      apiVersion: values.api_version,
      cardId: values.card_id,
      requestId: values.request_id,
      // Requests of pages are hidden unless the filter asks for them, for a person, or for one request.
      withoutPages:
        values.pages === undefined &&
        values.actor_id === undefined &&
        values.request_id === undefined,
      limit: LIST_ROWS,
      cursor,
    });
    // Offering all keys takes the scope that lists them.
    const keys = session.actor.scopes.has("keys:manage") ? await listApiKeys(ctx) : [];
    const ids = values.card_id === undefined ? [] : [values.card_id];
    const [card] = await findCards(ctx.db, ctx.actor.integratorId, ids);
    return { page, callers: toCallers(keys, page.rows), card };
  });
}

/** The keys, plus the senders of the listed requests: also people, and keys that this person may not list. */
function toCallers(keys: readonly Option[], requests: readonly LoggedRequest[]): Option[] {
  const seen = requests.flatMap(({ actor }) =>
    actor && actor.id !== null ? [{ id: actor.id, name: actor.name }] : [],
  );
  const named = [...keys, ...seen].map(({ id, name }) => [id, { id, name }] as const);
  return [...new Map(named).values()];
}
