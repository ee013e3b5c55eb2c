import type { Metadata } from "next";
import { personalPage } from "../../../page/personal-page.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteStaff } from "./invite-staff.tsx";
import { StaffActions } from "./staff-actions.tsx";
import { readAs } from "#lib/auth/page-session.ts";
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
        action={<InviteStaff disabledReason={disabledReason} role={role} />}
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
  const { people, invitations } = await readAs(session, async (ctx) => ({
    people: await listStaff(ctx),
    invitations: await listInvitations(ctx),
  }));
  const { role, id: selfId } = session.actor.staff;
  return (
    <>
      <Panel flush title="People">
        <ul aria-label="People" className="divide-separator divide-y">
          {people.map((person) => (
            <PersonLine
              isSelf={person.id === selfId}
              key={person.id}
              disabledReason={toPersonDisabledReason(role, person)}
              person={person}
              role={role}
            />
          ))}
        </ul>
      </Panel>
      {invitations.length > 0 && (
        <Panel flush title="Pending invitations">
          <Invitations
            invitations={invitations.map(({ id, email, role: offered, expiresAt }) => ({
              id,
              email,
              role: offered ?? "viewer",
              expires: <Time at={expiresAt} />,
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

function PersonLine({
  person,
  role,
  isSelf,
  disabledReason,
}: {
  person: StaffMember;
  role: Role;
  isSelf: boolean;
  disabledReason: string | null;
}) {
  const name = `${person.firstName} ${person.lastName}`;
  return (
    <li
      aria-label={name}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3"
    >
      <div className="flex min-w-0 flex-1 flex-col leading-tight">
        <span className="font-medium">
          <span>{name}</span>
          {isSelf && <span className="text-muted font-normal"> (you)</span>}
        </span>
        <span className="text-muted truncate">{person.email}</span>
      </div>
      <span className="text-muted text-xs max-md:order-last max-md:basis-full">
        <span>{person.hasSecondFactor ? "Two-factor on" : "Two-factor off"}</span>
        {person.signedInAt ? (
          <span>
            {" · "}last signed in <Time at={person.signedInAt} />
          </span>
        ) : (
          <span> · never signed in</span>
        )}
      </span>
      <span className="w-20 capitalize">{person.role}</span>
      <StaffActions
        id={person.id}
        isSelf={isSelf}
        name={name}
        disabledReason={disabledReason}
        personRole={person.role}
        role={role}
      />
    </li>
  );
}
