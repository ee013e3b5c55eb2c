import { getReadiness as operation } from "#lib/operations/server/get-readiness.ts";
import { servePublic } from "#lib/api/edge/serve.ts";
import { requireReady } from "#lib/operator/readiness.ts";
import { THIS_PROCESS } from "#lib/base/this-process.ts";
import { listWarnings } from "#lib/operator/warnings.ts";

export const GET = servePublic(operation, async () => {
  const readiness = await requireReady();
  const { version: release } = THIS_PROCESS;
  return { body: { status: "ready" as const, release, warnings: listWarnings(readiness) } };
});
