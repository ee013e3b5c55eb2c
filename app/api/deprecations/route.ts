import { listDeprecations as operation } from "#lib/operations/deprecations/list-deprecations.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { readDeprecatedOperations } from "#lib/api/wire/deprecations.ts";

export const GET = handleRead(operation, async (ctx) => ({
  body: { data: await readDeprecatedOperations(ctx) },
}));
