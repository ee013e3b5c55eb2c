import type { Metadata } from "next";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { Live } from "../../../client/live.tsx";
import { Missing, MISSING } from "../../../page/missing.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { toApprovalTitle } from "../../../ui/approval-title.ts";
import { Balances } from "../../../ui/balances.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RecordColumns } from "../../../ui/record-columns.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { ApprovalState } from "../approval-state.tsx";
import { Decision } from "./decision.tsx";
import { findApproval } from "./find-approval.ts";
import type { FoundApproval } from "./find-approval.ts";
import { RequestedCards } from "./requested-cards.tsx";
import { RequestedRule } from "./requested-rule.tsx";
import { toChanges } from "./to-changes.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return (await findApproval((await params).id)) ? { title: "Request · Approvals" } : MISSING;
}

export default personalPage(ApprovalPage);

async function ApprovalPage(session: StaffSession, { params }: Props) {
  const found = await findApproval((await params).id);
  if (!found) {
    return <Missing back={{ href: "/approvals", name: "All approvals" }} noun="approval" />;
  }
  const { approval } = found;
  const { id, role } = session.actor.staff;
  const { currency } = session;
  const title = capitalize(toApprovalTitle(approval, currency));
  return (
    <>
      <Live />
      <Breadcrumb list="/approvals" name="Approvals">
        {title}
      </Breadcrumb>
      <PageHeader
        action={
          approval.status === "waiting" ? (
            <Decision
              disabledReason={roleDisabledReason(role, "funds:approve")}
              id={approval.id}
              isOwn={approval.requesterId === id}
            />
          ) : undefined
        }
        title={title}
      />
      <RecordColumns
        main={<Request currency={currency} found={found} />}
        side={<Details currency={currency} found={found} />}
      />
    </>
  );
}

/** What the request would do, and its members as they were sent. */
function Request({ found, currency }: { found: FoundApproval; currency: string }) {
  const { approval } = found;
  const changes = approval.status === "waiting" ? toChanges(found) : [];
  return (
    <div className="flex flex-col gap-6">
      {changes.length > 0 && (
        <Panel title="If it is approved now">
          <Balances changes={changes} currency={currency} />
        </Panel>
      )}
      {found.job && <RequestedCards currency={currency} job={found.job} names={found.names} />}
      {found.rule && <RequestedRule currency={currency} rule={found.rule} />}
      <Panel title="Request">
        {approval.request === null ? (
          <p className="text-muted">It has no members, or they were erased.</p>
        ) : (
          <pre className="max-h-96 overflow-auto font-mono text-xs break-words whitespace-pre-wrap">
            <code>{JSON.stringify(approval.request, null, 2)}</code>
          </pre>
        )}
      </Panel>
    </div>
  );
}

function Details({ found, currency }: { found: FoundApproval; currency: string }) {
  const { approval, card, about } = found;
  const { amount, cards, requestedBy, decidedBy, comment, decidedAt } = approval;
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="State">
          <ApprovalState status={approval.status} />
        </Fact>
        {amount !== null && (
          <Fact term="Amount">
            <Money amount={amount} currency={currency} />
          </Fact>
        )}
        {card && (
          <Fact term="Card">
            <Link className="underlined-link" href={`/cards/${card.id}`}>
              <bdi>{toCardTitle(card.cardName, card.last4)}</bdi>
            </Link>
          </Fact>
        )}
        {about && (
          <Fact term="About">
            <bdi>{about}</bdi>
          </Fact>
        )}
        {cards > 1 && <Fact term="Cards">{cards.toLocaleString("en-US")}</Fact>}
        <Fact term="Asked by">
          <bdi>{requestedBy.name}</bdi>
        </Fact>
        <Fact term="Asked">
          <ExactTime at={approval.createdAt} />
        </Fact>
        {approval.status === "waiting" && (
          <Fact term="Expires">
            <ExactTime at={approval.expiresAt} />
          </Fact>
        )}
        {decidedBy && (
          <Fact term="Decided by">
            <bdi>{decidedBy.name}</bdi>
          </Fact>
        )}
        {decidedAt && (
          <Fact term="Ended">
            <ExactTime at={decidedAt} />
          </Fact>
        )}
        {comment && (
          <Fact term="Reason">
            <bdi>{comment}</bdi>
          </Fact>
        )}
        <Fact term="Approval ID">
          <CopyId id={approval.id} label="approval ID" />
        </Fact>
      </Facts>
    </Panel>
  );
}
