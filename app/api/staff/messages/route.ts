import { listMessages as operation } from "#lib/operations/staff/list-messages.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { listMessages } from "#lib/messages/message-reads.ts";
import { toMessageResource } from "#lib/messages/message-resource.ts";

export const GET = serve(operation, {
  read: async (ctx, { query: { to: email, ...page } }) => {
    const { rows, nextCursor } = await listMessages(ctx, { email, ...page });
    return { body: { data: rows.map(toMessageResource), next_cursor: nextCursor } };
  },
});
