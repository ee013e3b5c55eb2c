import { archiveUser as operation } from "#lib/operations/cardholders/archive-user.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toUserResource } from "#lib/api/wire/resources.ts";
import { archiveCardholder } from "#lib/cards/cardholder-archive.ts";

export const POST = handleWrite(operation, async (ctx, { id }) => ({
  body: { data: toUserResource(await archiveCardholder(ctx, id)) },
}));
