import { LinkButton } from "../ui/link-button.tsx";
import { TopUp } from "./top-up.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Float } from "#lib/funds/funds.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** Helps to fund a low float: with a simulated top-up, or in live with an explanation of how to send funds. */
export function FundFloat({
  float,
  proposed,
  session,
}: {
  float: Float;
  /** The initial amount, in minor units, if there is one. */
  proposed?: number | undefined;
  session: StaffSession;
}) {
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
      proposed={proposed}
      look={{ size: "sm", variant: "secondary" }}
    />
  );
}
