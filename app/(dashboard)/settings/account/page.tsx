import type { Metadata } from "next";
import { requireStaffPage } from "../../../staff-page.ts";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { AccountForm } from "./account-form.tsx";
import { ApiSettings } from "./api-settings.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import type { Account } from "#lib/integrators/integrators.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";

export const metadata: Metadata = { title: "Account" };

export default async function AccountPage() {
  const session = await requireStaffPage();
  const account = await readAs(session, getAccount);
  const disabledReason = roleDisabledReason(session.actor.staff.role, "account:write");
  return (
    <>
      <PageHeader title="Account" />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[1fr_340px]">
        <Panel title="Business details">
          <AccountForm
            account={{
              business_address: account.businessAddress,
              webhook_url: account.webhookUrl ?? "",
              domain: account.domain,
            }}
            disabledReason={disabledReason}
          />
        </Panel>
        <div className="flex flex-col gap-6">
          <Registered account={account} />
          <Panel title="API">
            <ApiSettings
              apiVersion={account.apiVersion}
              idempotencyRequired={account.idempotencyRequired}
              disabledReason={disabledReason}
            />
          </Panel>
        </div>
      </div>
    </>
  );
}

function Registered({ account }: { account: Account }) {
  return (
    <Panel title="Registration">
      <Facts>
        <Fact term="Company">{account.businessName}</Fact>
        <Fact term="Account ID">
          <CopyId id={account.id} label="account ID" />
        </Fact>
        <Fact term="Registration number">{account.registrationNumber}</Fact>
        <Fact term="Country">{account.country}</Fact>
        <Fact term="Contact">
          {account.firstName} {account.lastName}
        </Fact>
        <Fact term="Email">{account.email}</Fact>
        <Fact term="Phone">{account.contactNumber}</Fact>
        <Fact term="Currency">{account.currency}</Fact>
        <Fact term="Environment">{account.environment}</Fact>
        <Fact term="Created">
          <Time at={account.createdAt} />
        </Fact>
      </Facts>
    </Panel>
  );
}
