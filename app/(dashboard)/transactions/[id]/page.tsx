import type { Metadata } from "next";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../page/missing.tsx";
import { Letterhead } from "../../../ui/letterhead.tsx";
import { PrintButton } from "../../../ui/print-button.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { LiveAccount } from "../../../client/live-account.tsx";
import { toTransactionTitle } from "../../../transaction/transaction-words.ts";
import { findTransaction } from "./find-transaction.ts";
import { toTransactionName, TransactionRecord } from "./transaction-record.tsx";
import { toTimeZoneName } from "#lib/base/time-zone.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findTransaction((await params).id);
  return found ? { title: `${toTransactionName(found.transaction)} · Transactions` } : MISSING;
}

export default personalPage(TransactionPage);

async function TransactionPage(session: StaffSession, { params }: Props) {
  const found = await findTransaction((await params).id);
  if (!found) {
    return (
      <Missing back={{ href: "/transactions", name: "All transactions" }} noun="transaction" />
    );
  }
  return (
    <>
      <LiveAccount />
      <Letterhead
        businessName={session.businessName}
        title={`Receipt · ${toTimeZoneName(session.timeZone)}`}
      />
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <Breadcrumb list="/transactions" name="Transactions">
          {toTransactionTitle(found.transaction)}
        </Breadcrumb>
        <div className="sm:-my-2">
          <PrintButton size="sm" />
        </div>
      </div>
      <TransactionRecord found={found} heading="h1" role={session.actor.staff.role} />
    </>
  );
}
