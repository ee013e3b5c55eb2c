import { Shell } from "../(dashboard)/_shell/shell.tsx";
import { Missing, MISSING } from "../missing.tsx";
import { PlainPage } from "../plain-page.tsx";
import { findStaff } from "../staff-page.ts";

export const metadata = MISSING;

/** Answers every address that is no page's. */
export default async function UnknownPage() {
  const session = await findStaff();
  if (session && !session.actor.staff.mustEnroll) {
    return (
      <Shell session={session}>
        <Missing back={{ href: "/overview", name: "Go to overview" }} noun="page" />
      </Shell>
    );
  }
  return (
    <PlainPage>
      <Missing back={{ href: "/", name: "Go to the start page" }} noun="page" />
    </PlainPage>
  );
}
