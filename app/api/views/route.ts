import { createView as createOperation } from "#lib/operations/views/create-view.ts";
import { listViews as listOperation } from "#lib/operations/views/list-views.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toViewResource } from "#lib/views/view-resource.ts";
import { createView, listViews } from "#lib/views/views.ts";

export const GET = serve(listOperation, {
  read: async (ctx, { query }) => ({
    body: { data: (await listViews(ctx, query.list)).map(toViewResource) },
  }),
});

export const POST = serve(createOperation, {
  change: async (ctx, { body }) => ({
    body: { data: toViewResource(await createView(ctx, body)) },
  }),
});
