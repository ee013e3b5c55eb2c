import type { ReadContext } from "#lib/base/context.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";
import { findInboxUrl, listInboxNotifications } from "#lib/webhooks/inbox.ts";
import type { InboxNotification } from "#lib/webhooks/inbox.ts";

/** How many characters of a body the page shows; the API returns all of them. */
export const INBOX_BODY_MAX = 16_384;

const ROWS = 20;

/** The test inbox as the page shows it. */
export interface InboxView {
  /** Whether the environment has inboxes. */
  isOffered: boolean;
  /** Null before it is created. */
  url: string | null;
  /** Whether it is the account's webhook URL. */
  isUsed: boolean;
  rows: readonly InboxNotification[];
  hasMore: boolean;
}

const NONE = { url: null, isUsed: false, rows: [], hasMore: false } as const;

/** The integrator's inbox with its newest notifications. */
export async function readInbox(
  ctx: ReadContext,
  environment: "sandbox" | "live",
  { webhookUrl }: Endpoint,
): Promise<InboxView> {
  if (environment !== "sandbox") {
    return { ...NONE, isOffered: false };
  }
  const url = await findInboxUrl(ctx);
  if (url === null) {
    return { ...NONE, isOffered: true };
  }
  const { rows, nextCursor } = await listInboxNotifications(ctx, {
    limit: ROWS,
    bodyMax: INBOX_BODY_MAX,
  });
  return { isOffered: true, url, isUsed: url === webhookUrl, rows, hasMore: nextCursor !== null };
}
