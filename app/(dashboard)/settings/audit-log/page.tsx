import type { Metadata } from "next";
import { toDay, toMoments } from "../../../ui/day-range.ts";
import { toId, toText } from "../../../ui/search-params.ts";
import type { Param } from "../../../ui/search-params.ts";
import { toRefusedTitle } from "../../../sentence/attempt.ts";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { IgnoredFilters } from "../../../ui/ignored-filters.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { FilterBar } from "../../../ui/filter-bar.tsx";
import { AuditLine } from "./audit-line.tsx";
import { AUDIT_ACTIONS, REFUSED, toRefusedOperation } from "#lib/record/audit-actions.ts";
import { listAudit } from "#lib/record/audit.ts";
import type { AuditEntry } from "#lib/record/audit.ts";
import { readNames } from "#lib/record/names.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { listStaff } from "#lib/staff/staff.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Audit log" };

const ROWS = 50;
const PATH = "/settings/audit-log";

interface Filter {
  action?: string | undefined;
  actor_id?: string | undefined;
  target_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

type Search = Readonly<Partial<Record<keyof Filter | "cursor", Param>>>;

export default personalPage(AuditLogPage);

async function AuditLogPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const search = await searchParams;
  const filter = toFilter(search);
  const cursor = toId(search.cursor);
  const { page, people, telling } = await readPage(session, filter, cursor);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <Live />
      <PageHeader
        description="Every change and who made it, including changes by staff that were refused. Entries can't be edited."
        title="Audit log"
      />
      <Panel
        action={
          <FilterBar choices={[toActionChoice(filter.action), toPeopleChoice(people)]} hasDays />
        }
        flush
        title="Changes"
      >
        <IgnoredFilters given={{ ...search }} used={{ ...filter }} />
        {page.rows.length === 0 && (
          <Empty
            action={isFiltered && <LinkButton href={PATH}>Show all changes</LinkButton>}
            title="No changes found"
          >
            No changes match these filters.
          </Empty>
        )}
        {page.rows.length > 0 && (
          <ol
            aria-label="Changes"
            className="divide-separator border-separator -mt-px divide-y border-t"
          >
            {page.rows.map((entry) => (
              <AuditLine entry={entry} key={entry.id} telling={telling} />
            ))}
          </ol>
        )}
        <Pager
          firstHref={cursor ? toHref(PATH, { ...filter }) : null}
          nextHref={page.nextCursor && toHref(PATH, { ...filter, cursor: page.nextCursor })}
        />
      </Panel>
    </>
  );
}

interface Person {
  id: string;
  name: string;
}

function toFilter(search: Search): Filter {
  const action = toText(search.action);
  return {
    action: action !== undefined && toActionName(action) !== undefined ? action : undefined,
    actor_id: toId(search.actor_id)?.toLowerCase(),
    target_id: toId(search.target_id)?.toLowerCase(),
    from: toDay(search.from),
    to: toDay(search.to),
  };
}

function readPage(session: StaffSession, filter: Filter, cursor: string | undefined) {
  return readAs(session, async (ctx) => {
    const page = await listAudit(ctx, {
      ...toMoments(filter, session.timeZone),
      action: filter.action,
      actorId: filter.actor_id,
      targetId: filter.target_id,
      limit: ROWS,
      cursor,
    });
    const records = page.rows.map(({ targetType, targetId }) => ({
      type: targetType,
      id: targetId,
    }));
    // Offering all people takes the scope that lists them.
    const staff = session.actor.scopes.has("staff:manage") ? await listStaff(ctx) : [];
    const people = staff.map(({ id, firstName, lastName }) => ({
      id,
      name: `${firstName} ${lastName}`,
    }));
    return {
      page,
      people: withActors(people, page.rows),
      telling: {
        names: await readNames(ctx, records),
        currency: session.currency,
      },
    };
  });
}

/** The people, and the actors of the listed entries, some of whom may have been removed. */
function withActors(people: readonly Person[], entries: readonly AuditEntry[]): Person[] {
  const actors = entries.flatMap(({ actor: { type, id, name } }) =>
    type === "staff" && id !== null ? [{ id, name }] : [],
  );
  return [...new Map([...actors, ...people].map((person) => [person.id, person])).values()];
}

function toPeopleChoice(options: readonly Person[]) {
  return { name: "actor_id", label: "Changes by", all: "Everyone", options };
}

const ACTIONS = [
  { id: REFUSED, name: "Refused attempts" },
  ...Object.entries(AUDIT_ACTIONS).map(([id, name]) => ({ id, name })),
];

function toActionChoice(action: string | undefined) {
  const name = action === undefined ? undefined : toActionName(action);
  const isListed = ACTIONS.some(({ id }) => id === action);
  const options =
    action === undefined || name === undefined || isListed
      ? ACTIONS
      : [{ id: action, name }, ...ACTIONS];
  return { name: "action", label: "Action", all: "All actions", options };
}

/** The name of an action; undefined for an unknown one. */
function toActionName(action: string): string | undefined {
  return (
    ACTIONS.find(({ id }) => id === action)?.name ??
    toRefusedTitle(toRefusedOperation(action), "a card")
  );
}
