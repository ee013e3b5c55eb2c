import { getReadiness as operation } from "#lib/api/contract/health.ts";
import { handlePublic } from "#lib/api/handle.ts";
import { requireReady } from "#lib/readiness.ts";
import { listWarnings } from "#lib/warnings.ts";

export const GET = handlePublic(operation, async () => {
  await requireReady();
  return { body: { status: "ready" as const, warnings: listWarnings() } };
});
