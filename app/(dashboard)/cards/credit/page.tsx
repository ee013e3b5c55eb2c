import type { Metadata } from "next";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { LiveAccount } from "../../../client/live-account.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { toId } from "../../../ui/search-params.ts";
import type { Param } from "../../../ui/search-params.ts";
import { CreditMany } from "./credit-many.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { previewCredit } from "#lib/bulk/credit-preview.ts";
import { getFloat } from "#lib/funds/float.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Credit many cards" };

export default personalPage(CreditManyPage);

async function CreditManyPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Readonly<Record<string, Param>>> },
) {
  const checkId = toId((await searchParams)["check"]);
  const [float, preview] = await readAs(session, (ctx) =>
    Promise.all([getFloat(ctx), checkId === undefined ? null : previewCredit(ctx, checkId)]),
  );
  return (
    <>
      <LiveAccount />
      <Breadcrumb list="/cards" name="Cards">
        Credit many
      </Breadcrumb>
      <PageHeader
        action={
          <LinkButton href="/cards/bulk" variant="ghost">
            Bulk jobs
          </LinkButton>
        }
        description="Every row is checked first. Nothing moves until you confirm."
        title="Credit many cards"
      />
      <CreditMany
        available={float.available}
        currency={float.currency}
        disabledReason={roleDisabledReason(session.actor.staff.role, "funds:write")}
        preview={preview}
      />
    </>
  );
}
