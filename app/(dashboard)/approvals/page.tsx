import type { Metadata } from "next";
import { Live } from "../../client/live.tsx";
import { personalPage } from "../../page/personal-page.tsx";
import { toApprovalTitle } from "../../ui/approval-title.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pager, toHref } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { RowName } from "../../ui/row-name.tsx";
import { toId } from "../../ui/search-params.ts";
import type { Param } from "../../ui/search-params.ts";
import { Time } from "../../ui/time.tsx";
import { ApprovalState } from "./approval-state.tsx";
import { capitalize } from "#lib/base/capitalize.ts";
import { listApprovals, listWaitingFor } from "#lib/approvals/approvals.ts";
import type { Approval } from "#lib/approvals/approvals.ts";
import { readAs } from "#lib/auth/page-session.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Approvals" };

const ROWS = 50;
const PATH = "/approvals";

/** How many waiting requests are shown above the list of all requests. */
const WAITING_MAX = 20;

export default personalPage(ApprovalsPage);

async function ApprovalsPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<{ cursor?: Param; own?: Param }> },
) {
  const { cursor: given, own } = await searchParams;
  const cursor = toId(given);
  const { id } = session.actor.staff;
  const isOwn = own !== undefined;
  const [waiting, page] = await readAs(session, (ctx) =>
    Promise.all([
      session.actor.scopes.has("funds:approve") && cursor === undefined
        ? listWaitingFor(ctx, id, WAITING_MAX)
        : [],
      listApprovals(ctx, { limit: ROWS, cursor, requesterId: isOwn ? id : undefined }),
    ]),
  );
  const columns = toColumns(session.currency);
  const list = { columns, hrefOf: ({ id: each }: Approval) => `${PATH}/${each}` };
  return (
    <>
      <Live />
      <PageHeader
        action={
          <LinkButton href={isOwn ? PATH : `${PATH}?own`}>
            {isOwn ? "Show all" : "Show mine"}
          </LinkButton>
        }
        description="What takes effect once a second person approves it."
        title="Approvals"
      />
      {waiting.length > 0 && (
        <Panel flush title="Waiting for you">
          <DataTable
            {...list}
            empty={null}
            idOf={({ id: each }) => each}
            items={waiting}
            label="Waiting for you"
          />
        </Panel>
      )}
      <Panel flush title={isOwn ? "Your requests" : "All requests"}>
        <DataTable
          {...list}
          empty={
            <Empty title={isOwn ? "You have asked for no approval yet" : "No approvals yet"}>
              A move that reaches the threshold of the account waits here.
            </Empty>
          }
          idOf={({ id: each }) => each}
          items={page.rows}
          label={isOwn ? "Your requests" : "All requests"}
        />
        <Pager
          cursor={cursor}
          hrefOf={(each) => toHref(PATH, { cursor: each, ...(isOwn && { own: "1" }) })}
          nextCursor={page.nextCursor}
        />
      </Panel>
    </>
  );
}

function toColumns(currency: string): readonly Column<Approval>[] {
  return [
    {
      id: "request",
      name: "Request",
      narrow: "below",
      cell: (approval) => (
        <RowName
          about={approval.requestedBy.name}
          name={capitalize(toApprovalTitle(approval, currency))}
        />
      ),
    },
    {
      id: "state",
      name: "State",
      narrow: "below",
      cell: ({ status }) => <ApprovalState status={status} />,
    },
    {
      id: "decided",
      name: "Decided by",
      narrow: "hidden",
      isCut: true,
      cell: ({ decidedBy }) => <bdi className="text-muted">{decidedBy?.name ?? ""}</bdi>,
    },
    {
      id: "created",
      name: "Asked",
      align: "end",
      narrow: "beside",
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
}
