import { getOpenApi as operation } from "#lib/api/contract/health.ts";
import { handlePublic } from "#lib/api/edge/handle.ts";
import { toOpenApi } from "#lib/api/openapi.ts";
import { env } from "#lib/base/env.ts";

export const GET = handlePublic(operation, () =>
  Promise.resolve({ body: toOpenApi(env().publicUrl) }),
);
