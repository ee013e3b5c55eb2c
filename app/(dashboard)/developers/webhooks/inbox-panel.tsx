import { Link } from "../../../ui/link.tsx";
import { ShieldCheck, ShieldX } from "lucide-react";
import { CodeBlock, JsonBlock } from "../../../ui/code-block.tsx";
import { CopyButton } from "../../../ui/copy-id.tsx";
import { Disclosed } from "../../../ui/disclosed.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import type { InboxNotification } from "#lib/webhooks/inbox.ts";
import { explainFault } from "#lib/webhooks/signature-faults.ts";
import { INBOX_BODY_MAX } from "./read-inbox.ts";
import type { InboxView } from "./read-inbox.ts";

/** What the sandbox's inbox received, newest first, each with the verdict on its signature. */
export function InboxPanel({ inbox: { url, isUsed, rows, hasMore } }: { inbox: InboxView }) {
  if (url === null) {
    return null;
  }
  return (
    <Panel flush title="Test inbox">
      <div className="border-separator text-muted flex flex-col gap-1 border-b px-4 py-3">
        <p>
          Receives webhooks and verifies their signatures, as your server will. Keeps the last 100
          for a day.
        </p>
        <p className="flex items-center gap-1">
          <span className="text-foreground min-w-0 font-mono text-xs break-all">{url}</span>
          <CopyButton text={url} what="inbox address" />
        </p>
      </div>
      {rows.length === 0 ? (
        <Empty title="Nothing received yet">
          {isUsed
            ? "Each webhook appears here as it arrives. Send a test event to see one."
            : "Set this address as your webhook URL to receive webhooks here."}
        </Empty>
      ) : (
        <ol aria-label="Received webhooks" className="divide-separator divide-y">
          {rows.map((notification) => (
            <li key={notification.id}>
              <Disclosed summary={<Summary notification={notification} />}>
                <Details notification={notification} />
              </Disclosed>
            </li>
          ))}
        </ol>
      )}
      {hasMore && (
        <p className="border-separator text-muted border-t px-4 py-3">
          <span>{`These are the newest ${rows.length}.`}</span> <code>GET /sandbox/inbox</code>{" "}
          <span>returns all.</span>
        </p>
      )}
    </Panel>
  );
}

function Summary({ notification }: { notification: InboxNotification }) {
  const { event, secret, fault, createdAt } = notification;
  const Icon = secret === null ? ShieldX : ShieldCheck;
  const look = secret === null ? "text-declined" : "text-active";
  return (
    <>
      <Icon aria-hidden className={`size-4 shrink-0 ${look}`} />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <span className={`font-medium ${look}`}>
          {secret === null ? "Not verified" : "Verified"}
        </span>
        <code className="font-mono text-xs">{event ?? "No known event"}</code>
        {fault !== null && <span className="font-normal">{explainFault(fault)}</span>}
        {secret === "previous" && (
          <span className="font-normal">Signed with the previous secret.</span>
        )}
        <span className="text-muted text-xs font-normal">
          <Time at={createdAt} />
        </span>
      </span>
    </>
  );
}

function Details({ notification }: { notification: InboxNotification }) {
  const { headers, body, deliveryId } = notification;
  const isCut = body.length === INBOX_BODY_MAX;
  return (
    <>
      <CodeBlock label="Headers" text={toLines(headers)} />
      <JsonBlock label={isCut ? "Body (the beginning)" : "Body"} text={body} />
      {deliveryId !== null && (
        <p>
          <Link className="underlined-link" href={`/developers/webhooks/deliveries/${deliveryId}`}>
            View delivery
          </Link>
        </p>
      )}
    </>
  );
}

function toLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
