import { getEvent as operation } from "#lib/operations/webhooks/get-event.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toEventResource } from "#lib/api/wire/webhook-resources.ts";
import { getEvent } from "#lib/webhooks/event-reads.ts";

export const GET = handleReadOnce(operation, async (ctx, { id }) => ({
  body: { data: toEventResource(await getEvent(ctx, id)) },
}));
