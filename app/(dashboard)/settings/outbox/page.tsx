import type { Metadata } from "next";
import { Live } from "../../../client/live.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { CellTime } from "../../../ui/cell-time.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { MessageStateLabel } from "../../../ui/message-state.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RowName } from "../../../ui/row-name.tsx";
import { TopicsForm } from "./topics-form.tsx";
import { toSubject } from "./subject.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { env } from "#lib/base/env.ts";
import { isId } from "#lib/base/ids.ts";
import { listMessages } from "#lib/messages/message-reads.ts";
import type { SentMessage } from "#lib/messages/message-reads.ts";
import { readMutedTopics } from "#lib/staff/staff-self.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Outbox" };

const ROWS = 50;
const PATH = "/settings/outbox";

const COLUMNS: readonly Column<SentMessage>[] = [
  {
    id: "subject",
    name: "Message",
    narrow: "beside",
    cell: (message) => <RowName name={toSubject(message)} />,
  },
  { id: "to", name: "To", narrow: "below", isCut: true, cell: ({ email }) => email },
  {
    id: "state",
    name: "State",
    narrow: "beside",
    cell: ({ state }) => <MessageStateLabel state={state} />,
  },
  {
    id: "created",
    name: "Created",
    align: "end",
    narrow: "below",
    cell: ({ createdAt }) => <CellTime at={createdAt} word="created" />,
  },
];

interface Props {
  searchParams: Promise<{ cursor?: string | string[] }>;
}

export default personalPage(OutboxPage);

async function OutboxPage(session: StaffSession, { searchParams }: Props) {
  const { cursor: asked } = await searchParams;
  const cursor = typeof asked === "string" && isId(asked) ? asked : undefined;
  const { page, muted } = await readAs(session, async (ctx) => ({
    page: await listMessages(ctx, { limit: ROWS, cursor }),
    muted: await readMutedTopics(ctx),
  }));
  const isOwner = session.actor.staff.role === "owner";
  return (
    <>
      <Live />
      <PageHeader description={toDescription(isOwner)} title="Outbox" />
      <Panel flush title="Messages">
        <DataTable
          columns={COLUMNS}
          empty={
            <Empty title="No messages yet">
              Invitations, password links, and alerts appear here.
            </Empty>
          }
          hrefOf={({ id }) => `${PATH}/${id}`}
          idOf={({ id }) => id}
          items={page.rows}
          label="Messages"
        />
        <Pager
          cursor={cursor}
          hrefOf={(next) => toHref(PATH, { cursor: next })}
          nextCursor={page.nextCursor}
        />
      </Panel>
      <Panel title="What you're told by mail">
        <TopicsForm muted={muted} />
      </Panel>
    </>
  );
}

/** Says whose messages these are, and whether they are actually mailed. */
function toDescription(isOwner: boolean): string {
  const { mail, environment } = env();
  const whose = isOwner
    ? "Mail to your staff in the last 30 days."
    : "Mail to you in the last 30 days.";
  if (mail) {
    return whose;
  }
  return environment === "sandbox"
    ? `${whose} This sandbox has no mail server, so it's kept here instead of being sent.`
    : `${whose} No mail server is set up, so nothing is sent.`;
}
