import { readAs, readAside } from "#lib/auth/page-session.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { listNeeds } from "#lib/overview/needs.ts";
import type { Need } from "#lib/overview/needs.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** Everything that needs the signed-in person's attention. */
export function findNeeds(session: StaffSession): Promise<Need[]> {
  return readAs(session, toRead(session));
}

/** The number of these needs, for the frame of every page: 0 while it cannot be read. */
export async function countNeeds(session: StaffSession): Promise<number> {
  const needs = await readAside(session, toRead(session));
  return needs?.length ?? 0;
}

function toRead({ actor, timeZone, clockOffsetS }: StaffSession) {
  const needing = {
    timeZone,
    clock: { clockOffsetS },
    mendsWebhooks: actor.scopes.has("webhooks:write"),
    approverId: actor.scopes.has("funds:approve") ? actor.staff.id : null,
  };
  return (ctx: ReadContext) => listNeeds(ctx, needing);
}
