import { createInbox as create } from "#lib/operations/webhooks/create-inbox.ts";
import { listInbox as list } from "#lib/operations/webhooks/list-inbox.ts";
import { handleRead, handleWrite } from "#lib/api/edge/handle.ts";
import { toInboxNotificationResource } from "#lib/api/wire/webhook-resources.ts";
import { createInbox, findInboxUrl, listInboxNotifications } from "#lib/webhooks/inbox.ts";

export const POST = handleWrite(create, async (ctx) => ({
  body: { data: { url: await createInbox(ctx) } },
}));

export const GET = handleRead(list, async (ctx, { query: { event: events, ...page } }) => {
  const url = await findInboxUrl(ctx);
  const { rows, nextCursor } = await listInboxNotifications(ctx, { events, ...page });
  return { body: { url, data: rows.map(toInboxNotificationResource), next_cursor: nextCursor } };
});
