import { Shell } from "../shell/shell.tsx";
import { Missing, MISSING } from "../page/missing.tsx";
import { PlainPage } from "../page/plain-page.tsx";
import { findStaff } from "../page/staff-page.ts";

export const metadata = MISSING;

/** Answers every address that is not a page. */
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
