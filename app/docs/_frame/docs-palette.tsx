import type { Elements } from "../../ui/elements.ts";
import { MadeFor } from "../../client/made-for.tsx";
import { DocsFinder } from "./docs-finder.tsx";
import { Palette } from "../../shell/palette.tsx";
import { TimeZoneProvider } from "../../ui/time-zone.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/**
 * The palette, which also searches the account, for a signed-in person; the search of the documentation for anyone
 * else.
 */
export function DocsPalette({
  session,
  children,
}: {
  session: StaffSession | undefined;
  children: Elements;
}) {
  if (!session || session.actor.staff.mustEnroll) {
    return <DocsFinder>{children}</DocsFinder>;
  }
  const { id, role } = session.actor.staff;
  return (
    <MadeFor staffId={id}>
      <TimeZoneProvider timeZone={session.timeZone}>
        <Palette
          disabledReasons={{
            state: roleDisabledReason(role, "cards:write"),
            funds: roleDisabledReason(role, "funds:write"),
          }}
        >
          {children}
        </Palette>
      </TimeZoneProvider>
    </MadeFor>
  );
}
