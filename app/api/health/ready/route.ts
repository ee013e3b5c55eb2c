import { getReadiness as operation } from "#lib/operations/server/get-readiness.ts";
import { handlePublic } from "#lib/api/edge/handle.ts";
import { requireReady } from "#lib/operator/readiness.ts";
import { listWarnings } from "#lib/operator/warnings.ts";

export const GET = handlePublic(operation, async () => {
  await requireReady();
  return { body: { status: "ready" as const, warnings: listWarnings() } };
});
