import { getAccount as operation } from "#lib/operations/account/get-account.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toAccountResource } from "#lib/api/wire/resources.ts";
import { getAccount } from "#lib/integrators/integrators.ts";

export const GET = handleReadOnce(operation, async (ctx) => ({
  body: { data: toAccountResource(await getAccount(ctx)) },
}));
