import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { canAssign, canResetPassword, ROLES } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { withdrawMessages } from "#lib/messages/record-messages.ts";
import { NOW } from "#db/schema/columns.ts";
import { staff, staffLinks } from "#db/schema/staff.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

interface Person {
  integratorId: string;
  id: string;
}

/**
 * Revokes a person's open password links. After a change of role or password, a link would give more access
 * than its creator was allowed to grant.
 */
export async function revokePasswordLinks(tx: Tx, person: Person): Promise<void> {
  await revoke(tx, person, eq(staffLinks.staffId, person.id));
}

/**
 * Revokes every link with which a removed person could return: those they created, and those for them or
 * their email.
 */
export async function revokeLinksOfRemoved(
  tx: Tx,
  person: Person & { email: string },
): Promise<void> {
  await pipeline([
    revoke(tx, person, eq(staffLinks.staffId, person.id)),
    revoke(tx, person, sql`lower(${staffLinks.email}) = ${person.email.toLowerCase()}`),
    revoke(tx, person, isMadeBy(person)),
  ]);
}

/**
 * Revokes what a person's new role does not allow: their own password links, and the links they could no
 * longer create.
 */
export async function revokeLinksBeyond(tx: Tx, person: Person, role: Role): Promise<void> {
  const toList = (isAllowed: (by: Role, other: Role) => boolean) =>
    sql`(${sql.param(ROLES.filter((other) => isAllowed(role, other)))}::text[])`;
  const isBeyond = sql`case when ${staffLinks.staffId} is null
    then ${staffLinks.role} <> all ${toList(canAssign)}
    else (select ${staff.role} <> all ${toList(canResetPassword)} from ${staff}
      where ${staff.integratorId} = ${staffLinks.integratorId} and ${staff.id} = ${staffLinks.staffId}) end`;
  await pipeline([
    revokePasswordLinks(tx, person),
    revoke(tx, person, and(isMadeBy(person), isBeyond)),
  ]);
}

/** Revokes every link that leads to one of these roles: invitations, and password links of people who have it. */
export async function revokeLinksOfRoles(
  tx: Tx,
  integratorId: string,
  roles: readonly Role[],
): Promise<void> {
  const listed = sql`(${sql.param(roles)}::text[])`;
  const leads = sql`(${staffLinks.role} = any ${listed} or exists (select from ${staff}
    where ${staff.integratorId} = ${integratorId} and ${staff.id} = ${staffLinks.staffId} and ${staff.role} = any ${listed}))`;
  await revoke(tx, { integratorId }, leads);
}

function isMadeBy({ id }: Person): SQL {
  return sql`${staffLinks.createdBy} ->> 'type' = 'staff' and ${staffLinks.createdBy} ->> 'id' = ${id}`;
}

/** One statement per condition, so that each uses its own index. One statement with OR would read every link. */
async function revoke(
  tx: Tx,
  { integratorId }: Pick<Person, "integratorId">,
  which: SQL | undefined,
): Promise<void> {
  const revoked = await tx
    .update(staffLinks)
    .set({ revokedAt: NOW })
    .where(
      and(
        eq(staffLinks.integratorId, integratorId),
        isNull(staffLinks.usedAt),
        isNull(staffLinks.revokedAt),
        which,
      ),
    )
    .returning({ id: staffLinks.id });
  await withdrawMessages(tx, integratorId, revoked);
}
