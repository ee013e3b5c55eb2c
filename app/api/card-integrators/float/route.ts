import { getFloat as operation } from "#lib/operations/funds/get-float.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toFloatResource } from "#lib/api/wire/resources.ts";
import { getFloat } from "#lib/funds/float.ts";

export const GET = handleReadOnce(operation, async (ctx) => ({
  body: toFloatResource(await getFloat(ctx)),
}));
