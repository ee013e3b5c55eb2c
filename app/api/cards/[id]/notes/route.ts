import { createNote as operation } from "#lib/operations/cards/create-note.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toActivityResource } from "#lib/transactions/activity-resource.ts";
import { noteCard } from "#lib/cards/card-note.ts";
import { toNoteActivity } from "#lib/transactions/card-activity.ts";

export const POST = serve(operation, {
  change: async (ctx, { id, body: { comment, transaction_id: transactionId } }) => {
    const note = await noteCard(ctx, id, { comment, transactionId });
    return { body: { data: toActivityResource(toNoteActivity(note)) } };
  },
});
