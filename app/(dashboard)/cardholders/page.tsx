import type { Metadata } from "next";
import { personalPage } from "../../page/personal-page.tsx";
import { Live } from "../../client/live.tsx";
import { LIST_ROWS, readListQuery } from "../../list/list.ts";
import type { ListQueryOf, Search } from "../../list/list.ts";
import { chooseColumns } from "../../list/look.ts";
import { ListPanel } from "../../list/list-panel.tsx";
import { NothingFound } from "../../list/nothing-found.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { CARDHOLDER_COLUMNS, CARDHOLDERS } from "./cardholders-list.tsx";
import { CreateCardholder } from "./create-cardholder.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { countCardholders, listCardholderPage } from "#lib/cards/cardholder-reads.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Cardholders" };

export default personalPage(CardholdersPage);

async function CardholdersPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const listQuery = readListQuery(CARDHOLDERS, await searchParams);
  const { page, left, hasAny } = await readPage(session, listQuery);
  const disabledReason = roleDisabledReason(session.actor.staff.role, "cards:write");
  return (
    <>
      <Live />
      <PageHeader
        action={<CreateCardholder disabledReason={disabledReason} />}
        title="Cardholders"
      />
      <ListPanel
        listQuery={listQuery}
        label="Cardholders"
        left={left}
        page={page}
        session={session}
      >
        <DataTable
          columns={chooseColumns(CARDHOLDER_COLUMNS, listQuery.values)}
          density={listQuery.values.density}
          empty={hasAny ? <NothingFound list={CARDHOLDERS} /> : <NothingYet />}
          hrefOf={({ id }) => `/cardholders/${id}`}
          idOf={({ id }) => id}
          items={page.rows}
          label="Cardholders"
        />
      </ListPanel>
    </>
  );
}

/** By default, those who can get cards. */
const ARCHIVED = { archived: true, all: undefined } as const;

function readPage(
  session: StaffSession,
  { values: { search, show }, cursor }: ListQueryOf<typeof CARDHOLDERS>,
) {
  const archived = show === undefined ? false : ARCHIVED[show];
  const filter = { search, archived, limit: LIST_ROWS, cursor };
  return readAs(session, async (ctx) => {
    const page = await listCardholderPage(ctx, filter);
    const any = page.rows.length > 0 ? page : await listCardholderPage(ctx, { limit: 1 });
    return { page, left: await countCardholders(ctx, filter), hasAny: any.rows.length > 0 };
  });
}

function NothingYet() {
  return (
    <Empty title="No cardholders yet">
      Create a cardholder, then create cards for them. The name on each card comes from here.
    </Empty>
  );
}
