import { unarchiveUser as operation } from "#lib/operations/cardholders/unarchive-user.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toUserResource } from "#lib/api/wire/resources.ts";
import { unarchiveCardholder } from "#lib/cards/cardholder-archive.ts";

export const POST = handleWrite(operation, async (ctx, { id }) => ({
  body: { data: toUserResource(await unarchiveCardholder(ctx, id)) },
}));
