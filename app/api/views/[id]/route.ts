import { deleteView as deleteOperation } from "#lib/operations/views/delete-view.ts";
import { updateView as updateOperation } from "#lib/operations/views/update-view.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toViewResource } from "#lib/views/view-resource.ts";
import { deleteView, updateView } from "#lib/views/views.ts";

export const PATCH = serve(updateOperation, {
  change: async (ctx, { id, body }) => ({
    body: { data: toViewResource(await updateView(ctx, id, body)) },
  }),
});

export const DELETE = serve(deleteOperation, {
  change: async (ctx, { id }) => ({
    body: { data: toViewResource(await deleteView(ctx, id)) },
  }),
});
