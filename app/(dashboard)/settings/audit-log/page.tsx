import type { Metadata } from "next";
import { toMoments } from "../../../ui/day-range.ts";
import { LIST_ROWS, readListQuery } from "../../../list/list.ts";
import type { Option } from "../../../list/field.ts";
import type { ListQueryOf, Search } from "../../../list/list.ts";
import { ListPanel } from "../../../list/list-panel.tsx";
import { NothingFound, NothingFoundSoFar } from "../../../list/nothing-found.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { CHANGES } from "./audit-list.ts";
import { AuditLine } from "./audit-line.tsx";
import { toAuditSearch } from "#lib/audit/audit-titles.ts";
import { listAudit } from "#lib/record/audit.ts";
import type { AuditEntry } from "#lib/record/audit.ts";
import { readNames } from "#lib/record/names.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { listStaff } from "#lib/staff/staff.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Audit log" };

export default personalPage(AuditLogPage);

async function AuditLogPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const listQuery = readListQuery(CHANGES, await searchParams);
  const { page, people, context } = await readPage(session, listQuery);
  const { target_id: targetId } = listQuery.values;
  const target = targetId === undefined ? undefined : context.names.get(targetId);
  return (
    <>
      <Live />
      <PageHeader
        description="Every change and who made it, including changes by staff that were refused. Entries can't be edited."
        title="Audit log"
      />
      <ListPanel
        listQuery={listQuery}
        label="Changes"
        names={{
          actor_id: people,
          target_id: targetId && target ? [{ id: targetId, name: target }] : [],
        }}
        page={page}
        session={session}
      >
        {page.rows.length > 0 ? (
          <ol aria-label="Changes" className="divide-separator border-separator divide-y border-t">
            {page.rows.map((entry) => (
              <AuditLine entry={entry} key={entry.id} context={context} />
            ))}
          </ol>
        ) : page.nextCursor === null ? (
          <NothingFound list={CHANGES} />
        ) : (
          <NothingFoundSoFar list={CHANGES} />
        )}
      </ListPanel>
    </>
  );
}

function readPage(session: StaffSession, { values, cursor }: ListQueryOf<typeof CHANGES>) {
  return readAs(session, async (ctx) => {
    const page = await listAudit(ctx, {
      ...toMoments(values, session.timeZone),
      action: values.action,
      actorId: values.actor_id,
      targetId: values.target_id,
      search: toAuditSearch(values.search),
      limit: LIST_ROWS,
      cursor,
    });
    const records = page.rows.flatMap(({ targetType, targetId, after }) => {
      const replacement = after?.["replaced_by"];
      return [
        { type: targetType, id: targetId },
        ...(typeof replacement === "string" ? [{ type: "card", id: replacement }] : []),
      ];
    });
    // Offering all people takes the scope that lists them.
    const staff = session.actor.scopes.has("staff:manage") ? await listStaff(ctx) : [];
    const people = staff.map(({ id, firstName, lastName }) => ({
      id,
      name: `${firstName} ${lastName}`,
    }));
    return {
      page,
      people: withActors(people, page.rows),
      context: { names: await readNames(ctx, records), currency: session.currency },
    };
  });
}

/** The people, and the actors of the listed entries, some of whom may have been removed. */
function withActors(people: readonly Option[], entries: readonly AuditEntry[]): Option[] {
  const actors = entries.flatMap(({ actor: { type, id, name } }) =>
    type === "staff" && id !== null ? [{ id, name }] : [],
  );
  return [...new Map([...actors, ...people].map((person) => [person.id, person])).values()];
}
