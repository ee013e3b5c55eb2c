import type { Metadata } from "next";
import { requireStaffPage } from "../../../staff-page.ts";
import { Live } from "../../../client/live.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { FilterSelect } from "../../../ui/filter-select.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { AuditLine } from "./audit-line.tsx";
import { listAudit } from "#lib/record/audit.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import { isId } from "#lib/base/ids.ts";
import { listStaff } from "#lib/staff/staff.ts";

export const metadata: Metadata = { title: "Audit log" };

const ROWS = 50;
const PATH = "/settings/audit-log";

interface Search {
  action?: string;
  actor_id?: string;
  target_id?: string;
  cursor?: string;
}

export default async function AuditLogPage({ searchParams }: { searchParams: Promise<Search> }) {
  const session = await requireStaffPage();
  const { action, actor_id, target_id, cursor } = await searchParams;
  const filters = {
    action: action || undefined,
    actor_id: toId(actor_id),
    target_id: toId(target_id),
  };
  const { page, people, currency } = await readAs(session, async (ctx) => ({
    page: await listAudit(ctx, {
      action: filters.action,
      actorId: filters.actor_id,
      targetId: filters.target_id,
      limit: ROWS,
      cursor: toId(cursor),
    }),
    // Choosing among people takes what lists them.
    people: session.actor.scopes.has("staff:manage") ? await listStaff(ctx) : [],
    currency: (await getAccount(ctx)).currency,
  }));
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <Live />
      <PageHeader
        description="Every change and who made it, including changes by staff that were refused. Entries can't be edited."
        title="Audit log"
      />
      <Panel
        action={
          people.length > 0 && (
            <FilterSelect
              all="Everyone"
              label="Changes by"
              name="actor_id"
              options={people.map(({ id, firstName, lastName }) => ({
                id,
                name: `${firstName} ${lastName}`,
              }))}
            />
          )
        }
        flush
        title="Changes"
      >
        {page.rows.length === 0 ? (
          <Empty
            action={isFiltered && <LinkButton href={PATH}>Show all changes</LinkButton>}
            title="No changes found"
          >
            No changes match these filters.
          </Empty>
        ) : (
          <ol className="divide-separator divide-y">
            {page.rows.map((entry) => (
              <AuditLine currency={currency} entry={entry} key={entry.id} />
            ))}
          </ol>
        )}
        <Pager
          firstHref={cursor ? toHref(PATH, filters) : null}
          nextHref={page.nextCursor && toHref(PATH, { ...filters, cursor: page.nextCursor })}
        />
      </Panel>
    </>
  );
}

function toId(text: string | undefined): string | undefined {
  return text !== undefined && isId(text) ? text.toLowerCase() : undefined;
}
