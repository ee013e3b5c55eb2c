import type { Metadata } from "next";
import { toId, toText } from "../../ui/search-params.ts";
import type { Param } from "../../ui/search-params.ts";
import { personalPage } from "../../page/personal-page.tsx";
import { Live } from "../../client/live.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { IgnoredFilters } from "../../ui/ignored-filters.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pager, toHref } from "../../ui/pager.tsx";
import { Time } from "../../ui/time.tsx";
import { CardholderLabel } from "./cardholder-label.tsx";
import { CardholderFilters, SHOWN } from "./cardholder-filters.tsx";
import { CreateCardholder } from "./create-cardholder.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { readAs } from "#lib/auth/page-session.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { Count } from "#lib/base/paging.ts";
import { countCardholders, listCardholderPage } from "#lib/cards/cardholder-reads.ts";
import type { CardholderRow } from "#lib/cards/cardholder-reads.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Cardholders" };

const ROWS = 50;
const PATH = "/cardholders";

const COLUMNS: readonly Column[] = [
  { id: "name", name: "Name", narrow: "below" },
  { id: "email", name: "Email", narrow: "below", isCut: true },
  { id: "cards", name: "Cards", align: "end", narrow: "beside" },
  { id: "created", name: "Created", align: "end", narrow: "hidden" },
];

type Search = Readonly<Partial<Record<"search" | "show" | "cursor", Param>>>;

export default personalPage(CardholdersPage);

async function CardholdersPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const given = await searchParams;
  const { filters, archived, cursor } = toFilters(given);
  const { page, left, hasAny } = await readAs(session, (ctx) =>
    readPage(ctx, { search: filters.search, archived, limit: ROWS, cursor }),
  );
  const disabledReason = roleDisabledReason(session.actor.staff.role, "cards:write");
  return (
    <>
      <Live />
      <PageHeader
        action={<CreateCardholder disabledReason={disabledReason} />}
        title="Cardholders"
      />
      <section
        aria-label="Cardholders"
        className="border-border bg-surface min-w-0 overflow-clip rounded-lg border"
      >
        <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-2">
          <CardholderFilters search={filters.search} show={filters.show} />
        </div>
        <IgnoredFilters given={{ ...given }} used={filters} />
        <DataTable
          columns={COLUMNS}
          empty={<NoCardholders hasAny={hasAny} />}
          label="Cardholders"
          rows={page.rows.map(toRow)}
        />
        <Pager
          firstHref={cursor ? toHref(PATH, filters) : null}
          nextHref={page.nextCursor && toHref(PATH, { ...filters, cursor: page.nextCursor })}
          range={{ shown: page.rows.length, left }}
        />
      </section>
    </>
  );
}

/** Filters from the URL; invalid values are ignored. */
function toFilters({ search, show, cursor }: Search) {
  const { id, archived } = SHOWN.find((each) => each.id === toText(show)) ?? SHOWN[0];
  return {
    filters: { search: toText(search)?.trim() || undefined, show: id },
    archived,
    cursor: toId(cursor),
  };
}

async function readPage(ctx: ReadContext, filter: Parameters<typeof listCardholderPage>[1]) {
  const page = await listCardholderPage(ctx, filter);
  const any = page.rows.length > 0 ? page : await listCardholderPage(ctx, { limit: 1 });
  return { page, left: await countCardholders(ctx, filter), hasAny: any.rows.length > 0 };
}

function NoCardholders({ hasAny }: { hasAny: boolean }) {
  return hasAny ? (
    <Empty
      action={<LinkButton href={toHref(PATH, { show: "all" })}>Show all cardholders</LinkButton>}
      title="No cardholders found"
    >
      No cardholders match these filters. Search covers names and emails.
    </Empty>
  ) : (
    <Empty title="No cardholders yet">
      Create a cardholder, then create cards for them. The name on each card comes from here.
    </Empty>
  );
}

function toRow(cardholder: CardholderRow) {
  const name = `${cardholder.firstName} ${cardholder.lastName}`;
  return {
    id: cardholder.id,
    href: `${PATH}/${cardholder.id}`,
    text: name,
    cells: [
      <span className="flex min-w-0 items-center gap-2" key="name">
        <bdi className="min-w-0 truncate font-medium">{name}</bdi>
        <CardholderLabel cardholder={cardholder} />
      </span>,
      <bdi className="text-muted" key="email">
        {cardholder.erasedAt ? "" : cardholder.email}
      </bdi>,
      <span className="tabular-nums" key="cards">
        {toWords(cardholder.cards)}
      </span>,
      <Time at={cardholder.createdAt} key="created" />,
    ],
  };
}

function toWords({ rows, isExact }: Count): string {
  return `${rows.toLocaleString("en-US")}${isExact ? "" : "+"}`;
}
