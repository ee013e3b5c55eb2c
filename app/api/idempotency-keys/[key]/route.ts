import { getIdempotencyKey as operation } from "#lib/operations/idempotency-keys/get-idempotency-key.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { lookUpKey } from "#lib/api/commit/key-lookup.ts";
import { requireIdempotencyKey } from "#lib/api/edge/read-input.ts";
import { toKeyedRequestResource } from "#lib/api/wire/keyed-request.ts";

export const GET = serve(operation, {
  reads: async (read, { id }, { actor }) => {
    const key = requireIdempotencyKey(id);
    return { body: { data: toKeyedRequestResource(key, await lookUpKey(read, { actor, key })) } };
  },
});
