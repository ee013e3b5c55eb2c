import { createInbox as create } from "#lib/operations/webhooks/create-inbox.ts";
import { listInbox as list } from "#lib/operations/webhooks/list-inbox.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toInboxNotificationResource } from "#lib/webhooks/inbox-resource.ts";
import { createInbox, findInboxUrl, listInboxNotifications } from "#lib/webhooks/inbox.ts";

export const POST = serve(create, {
  change: async (ctx) => ({
    body: { data: { url: await createInbox(ctx) } },
  }),
});

export const GET = serve(list, {
  snapshot: async (ctx, { query: { event: events, ...page } }) => {
    const url = await findInboxUrl(ctx);
    const { rows, nextCursor } = await listInboxNotifications(ctx, { events, ...page });
    return { body: { url, data: rows.map(toInboxNotificationResource), next_cursor: nextCursor } };
  },
});
