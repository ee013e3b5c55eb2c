import { getFloat as operation } from "#lib/api/contract/funds.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { toFloatResource } from "#lib/api/wire/resources.ts";
import { getFloat } from "#lib/funds/float.ts";

export const GET = handleRead(operation, async (ctx) => ({
  body: toFloatResource(await getFloat(ctx)),
}));
