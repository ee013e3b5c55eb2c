import type { Metadata } from "next";
import { personalPage } from "../../../page/personal-page.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { toApprovalRuleText } from "../../../ui/approval-rule-text.ts";
import { Panel } from "../../../ui/panel.tsx";
import { CardFace, SAMPLE_CARD } from "../../../ui/card-face.tsx";
import { Time } from "../../../ui/time.tsx";
import { AccountForm } from "./account-form.tsx";
import { ApiSettings } from "./api-settings.tsx";
import { ControlsSummary } from "../../../spending/controls-summary.tsx";
import { FreezeSettings } from "./freeze-settings.tsx";
import {
  EditApproval,
  EditLook,
  EditRegistration,
  EditSpending,
  EditTimeZone,
} from "./edit-buttons.tsx";
import { toCountryName } from "#lib/base/countries.ts";
import { toTimeZoneName } from "#lib/base/time-zone.ts";
import { readOnceAs } from "#lib/auth/page-session.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import { toAccountResource } from "#lib/integrators/account-resource.ts";
import type { Account } from "#lib/integrators/account-resource.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Account" };

export default personalPage(AccountPage);

async function AccountPage(session: StaffSession) {
  const account = await readOnceAs(session, getAccount);
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
          <Look account={account} disabledReason={disabledReason} />
          <Registered account={account} disabledReason={disabledReason} />
          <Panel
            action={<EditTimeZone disabledReason={disabledReason} timeZone={account.timeZone} />}
            title="Time zone"
          >
            <p>{toTimeZoneName(account.timeZone)}</p>
          </Panel>
          <Panel
            action={
              <EditSpending
                controls={account.spendingControls}
                currency={account.currency}
                disabledReason={disabledReason}
              />
            }
            title="Spending controls"
          >
            <div className="flex flex-col gap-4">
              <p className="hint">For cards without controls of their own.</p>
              <ControlsSummary controls={account.spendingControls} currency={account.currency} />
            </div>
          </Panel>
          <SecondPerson account={account} isOwner={session.actor.staff.role === "owner"} />
          <Panel title="Freezes">
            <FreezeSettings
              autoFreeze={toAccountResource(account).auto_freeze}
              disabledReason={disabledReason}
              idleFreezeDays={account.idleFreezeDays}
              isReasonRequired={account.freezeReasonRequired}
            />
          </Panel>
          <Panel title="API">
            <ApiSettings
              apiVersion={account.apiVersion}
              idempotencyRequired={account.idempotencyRequired}
              logBodies={account.logBodies}
              disabledReason={disabledReason}
            />
          </Panel>
        </div>
      </div>
    </>
  );
}

/** Shows the amount from which somebody else must approve a move. */
function SecondPerson({ account, isOwner }: { account: Account; isOwner: boolean }) {
  return (
    <Panel
      action={
        <EditApproval
          currency={account.currency}
          disabledReason={isOwner ? null : "Only owners can do this."}
          rule={account.approval}
        />
      }
      title="Second person"
    >
      <p>{toApprovalRuleText(account.approval, account.currency)}</p>
    </Panel>
  );
}

interface Props {
  account: Account;
  disabledReason: string | null;
}

/** A sample card. */
function Look({ account, disabledReason }: Props) {
  const { businessName, programName, cardColor } = account;
  return (
    <Panel
      action={
        <EditLook
          businessName={businessName}
          cardColor={cardColor}
          disabledReason={disabledReason}
          programName={programName}
        />
      }
      title="Card design"
    >
      <CardFace
        {...SAMPLE_CARD}
        look={{ program: programName ?? businessName, color: cardColor }}
      />
    </Panel>
  );
}

function Registered({ account, disabledReason }: Props) {
  return (
    <Panel
      action={
        <EditRegistration
          account={{
            registration_number: account.registrationNumber,
            country: account.country,
            contact_number: account.contactNumber,
          }}
          disabledReason={disabledReason}
        />
      }
      title="Registration"
    >
      <Facts>
        <Fact term="Company">{account.businessName}</Fact>
        <Fact term="Account ID">
          <CopyId id={account.id} label="account ID" />
        </Fact>
        <Fact term="Registration number">{account.registrationNumber || "Not set"}</Fact>
        <Fact term="Country">{toCountryName(account.country)}</Fact>
        <Fact term="Contact">{`${account.firstName} ${account.lastName}`}</Fact>
        <Fact term="Email">{account.email}</Fact>
        <Fact term="Phone">{account.contactNumber || "Not set"}</Fact>
        <Fact term="Currency">{account.currency}</Fact>
        <Fact term="Environment">{account.environment === "live" ? "Live" : "Sandbox"}</Fact>
        <Fact term="Created">
          <Time at={account.createdAt} />
        </Fact>
      </Facts>
    </Panel>
  );
}
