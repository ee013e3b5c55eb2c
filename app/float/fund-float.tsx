import { LinkButton } from "../ui/link-button.tsx";
import { TopUp } from "./top-up.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Float } from "#lib/funds/funds.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** Funds a low float: a simulated top-up, or in live how to send funds. */
export function FundFloat({ float, session }: { float: Float; session: StaffSession }) {
  if (session.environment === "live") {
    return (
      <LinkButton href="/float#add-funds" size="sm">
        How to add funds
      </LinkButton>
    );
  }
  return (
    <TopUp
      available={float.available}
      currency={float.currency}
      disabledReason={roleDisabledReason(session.actor.staff.role, "sandbox:write")}
      look={{ size: "sm", variant: "secondary" }}
    />
  );
}
