import { getEvent as operation } from "#lib/operations/webhooks/get-event.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toEventResource } from "#lib/api/wire/event.ts";
import { getEvent } from "#lib/webhooks/event-reads.ts";

export const GET = serve(operation, {
  read: async (ctx, { id }) => ({
    body: { data: toEventResource(await getEvent(ctx, id)) },
  }),
});
