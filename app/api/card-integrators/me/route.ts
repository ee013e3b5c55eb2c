import { getAccount as operation } from "#lib/api/contract/account.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { toAccountResource } from "#lib/api/wire/resources.ts";
import { getAccount } from "#lib/integrators/integrators.ts";

export const GET = handleRead(operation, async (ctx) => ({
  body: { data: toAccountResource(await getAccount(ctx)) },
}));
