import type { Metadata } from "next";
import { Breadcrumb } from "../../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../../page/missing.tsx";
import { personalPage } from "../../../../page/personal-page.tsx";
import { Fact, Facts } from "../../../../ui/facts.tsx";
import { LinkButton } from "../../../../ui/link-button.tsx";
import { MessageStateLabel } from "../../../../ui/message-state.tsx";
import { PageHeader } from "../../../../ui/page-header.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { ExactTime } from "../../../../ui/time.tsx";
import { toSubject } from "../subject.ts";
import { findMessage } from "./find-message.ts";
import type { SentMessage } from "#lib/messages/message-reads.ts";
import { MESSAGE_STATES } from "#lib/messages/message-states.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findMessage((await params).id);
  return found ? { title: `${toSubject(found)} · Outbox` } : MISSING;
}

export default personalPage(MessagePage);

async function MessagePage(_session: StaffSession, { params }: Props) {
  const message = await findMessage((await params).id);
  if (!message) {
    return <Missing back={{ href: "/settings/outbox", name: "All messages" }} noun="message" />;
  }
  const subject = toSubject(message);
  return (
    <>
      <Breadcrumb list="/settings/outbox" name="Outbox">
        {subject}
      </Breadcrumb>
      <PageHeader description={MESSAGE_STATES[message.state]} title={subject} />
      <Details message={message} />
      {message.framed && <Text framed={message.framed} />}
    </>
  );
}

function Details({
  message: { email, state, failure, createdAt, sentAt },
}: {
  message: SentMessage;
}) {
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="To">
          <span className="wrap-anywhere">{email}</span>
        </Fact>
        <Fact term="State">
          <MessageStateLabel state={state} />
        </Fact>
        <Fact term="Created">
          <ExactTime at={createdAt} />
        </Fact>
        {sentAt && (
          <Fact term="Sent">
            <ExactTime at={sentAt} />
          </Fact>
        )}
        {failure !== null && (
          <Fact term="Last answer">
            <span className="wrap-anywhere">{failure}</span>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

/** What the recipient would see, with a button that leads to the same place. */
function Text({ framed: { text, action } }: { framed: NonNullable<SentMessage["framed"]> }) {
  return (
    <Panel title="What it says">
      <div className="flex flex-col items-start gap-4">
        <p className="wrap-anywhere whitespace-pre-line">{text}</p>
        <LinkButton href={action.url}>{action.label}</LinkButton>
      </div>
    </Panel>
  );
}
