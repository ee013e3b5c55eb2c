import type { ReactNode } from "react";
import { Palette } from "../../(dashboard)/_shell/palette.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** The palette for a signed-in person: what it searches is their account's. */
export function DocsPalette({
  session,
  children,
}: {
  session: StaffSession | undefined;
  children: ReactNode;
}) {
  if (!session || session.actor.staff.mustEnroll) {
    return children;
  }
  const { role } = session.actor.staff;
  return (
    <Palette
      disabledReasons={{
        state: roleDisabledReason(role, "cards:write"),
        funds: roleDisabledReason(role, "funds:write"),
      }}
    >
      {children}
    </Palette>
  );
}
