import type { InboxView } from "./read-inbox.ts";
import { UseInbox } from "./use-inbox.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";

/** Offers the test inbox as the endpoint, in a sandbox whose webhooks go elsewhere or nowhere. */
export function OfferInbox({
  inbox: { isOffered, isUsed },
  webhookUrl,
  role,
}: {
  inbox: InboxView;
  webhookUrl: string | null;
  role: Role;
}) {
  if (!isOffered || isUsed) {
    return null;
  }
  const disabledReason =
    roleDisabledReason(role, "webhooks:write") ?? roleDisabledReason(role, "account:write");
  return (
    <>
      {webhookUrl === null && (
        <p className="text-muted w-full">
          A test inbox receives and verifies webhooks for you, before you have written a receiver.
        </p>
      )}
      <UseInbox disabledReason={disabledReason} webhookUrl={webhookUrl} />
    </>
  );
}
