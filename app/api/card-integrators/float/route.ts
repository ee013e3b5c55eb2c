import { getFloat as operation } from "#lib/api/contract/funds.ts";
import { handleRead } from "#lib/api/handle.ts";
import { toFloatResource } from "#lib/api/resources.ts";
import { getFloat } from "#lib/float.ts";

export const GET = handleRead(operation, async (ctx) => ({
  body: toFloatResource(await getFloat(ctx)),
}));
