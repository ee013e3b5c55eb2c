import type { Metadata } from "next";
import { personalPage } from "../../../page/personal-page.tsx";
import { CellTime } from "../../../ui/cell-time.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RowName } from "../../../ui/row-name.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteStaff } from "./invite-staff.tsx";
import { StaffActions } from "./staff-actions.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { env } from "#lib/base/env.ts";
import { listWorkingKeys } from "#lib/access/api-keys.ts";
import { canAssign, roleDisabledReason, ROLE_PURPOSES, ROLES } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { listStaff } from "#lib/staff/staff.ts";
import type { StaffMember } from "#lib/staff/staff.ts";
import { listInvitations } from "#lib/staff/staff-links.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Staff" };

export default personalPage(StaffPage);

async function StaffPage(session: StaffSession) {
  const { role } = session.actor.staff;
  const disabledReason = roleDisabledReason(role, "staff:manage");
  return (
    <>
      <PageHeader
        action={
          <InviteStaff
            disabledReason={disabledReason}
            isMailed={env().mail !== undefined}
            role={role}
          />
        }
        description="Everyone who can sign in to this account."
        title="Staff"
      />
      {disabledReason === null ? (
        <People session={session} />
      ) : (
        <Panel flush title="People">
          <Empty title="No access">{disabledReason}</Empty>
        </Panel>
      )}
      <Panel title="Roles">
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
          {ROLES.map((each) => (
            <div className="contents" key={each}>
              <dt className="font-medium capitalize">{each}</dt>
              <dd className="text-muted">{ROLE_PURPOSES[each]}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </>
  );
}

/** Staff and invitations, for those who manage them. */
async function People({ session }: { session: StaffSession }) {
  const { people, invitations, keys } = await readAs(session, async (ctx) => ({
    people: await listStaff(ctx),
    invitations: await listInvitations(ctx),
    keys: await listWorkingKeys(ctx),
  }));
  const { role, id: selfId } = session.actor.staff;
  return (
    <>
      <Panel flush title="People">
        <DataTable
          columns={toColumns(role)}
          empty={null}
          idOf={({ id }) => id}
          items={people.map((person) => ({
            ...person,
            isSelf: person.id === selfId,
            keyNames: keys
              .filter(({ makerId }) => makerId === person.id)
              .map(({ key }) => key.name),
          }))}
          label="People"
        />
      </Panel>
      {invitations.length > 0 && (
        <Panel flush title="Pending invitations">
          <Invitations
            invitations={invitations.map(({ id, email, role: offered, expiresAt }) => ({
              id,
              email,
              role: offered ?? "viewer",
              expires: <CellTime at={expiresAt} word="expires" />,
            }))}
          />
        </Panel>
      )}
    </>
  );
}

function toPersonDisabledReason(role: Role, person: StaffMember): string | null {
  return canAssign(role, person.role) ? null : "Only owners can manage owners.";
}

function toName({ firstName, lastName }: StaffMember): string {
  return `${firstName} ${lastName}`;
}

interface Person extends StaffMember {
  isSelf: boolean;
  keyNames: readonly string[];
}

/** @param role the viewer's role. */
function toColumns(role: Role): readonly Column<Person>[] {
  return [
    {
      id: "name",
      name: "Name",
      narrow: "beside",
      cell: (person) => <RowName about={person.isSelf ? "you" : ""} name={toName(person)} />,
    },
    { id: "email", name: "Email", narrow: "below", isCut: true, cell: ({ email }) => email },
    {
      id: "second-factor",
      name: "Two-factor",
      narrow: "below",
      cell: ({ hasSecondFactor }) => (
        <>
          <span className="text-muted in-two-lines">Two-factor: </span>
          <span>{hasSecondFactor ? "On" : "Off"}</span>
        </>
      ),
    },
    {
      id: "signed-in",
      name: "Last signed in",
      narrow: "below",
      cell: ({ signedInAt }) =>
        signedInAt ? (
          <CellTime at={signedInAt} word="signed in" />
        ) : (
          <span className="text-muted">Never signed in</span>
        ),
    },
    {
      id: "role",
      name: "Role",
      narrow: "beside",
      cell: (person) => <span className="capitalize">{person.role}</span>,
    },
    {
      id: "actions",
      name: "Actions",
      narrow: "beside",
      align: "end",
      cell: (person) => (
        <StaffActions
          disabledReason={toPersonDisabledReason(role, person)}
          id={person.id}
          isSelf={person.isSelf}
          keyNames={person.keyNames}
          name={toName(person)}
          isMailed={env().mail !== undefined}
          personRole={person.role}
          role={role}
        />
      ),
    },
  ];
}
