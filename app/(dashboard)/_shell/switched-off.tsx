import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Time } from "../../ui/time.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { SWITCH_OFF_REASONS } from "#lib/webhooks/delivery-states.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** Says on every page that we gave up on the account's notifications, and why. */
export async function SwitchedOff({ session }: { session: StaffSession }) {
  const { switchedOffAt, switchedOffReason, state } = await readAs(session, getEndpoint);
  if (state !== "switched_off" || !switchedOffAt || !switchedOffReason) {
    return null;
  }
  return (
    <p
      className="border-border bg-surface text-declined flex items-start gap-2 rounded-lg border px-4 py-3"
      role="status"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        Webhooks were disabled <Time at={switchedOffAt} />. {SWITCH_OFF_REASONS[switchedOffReason]}{" "}
        <Link className="underline underline-offset-4" href="/developers/webhooks">
          Go to webhooks
        </Link>
      </span>
    </p>
  );
}
