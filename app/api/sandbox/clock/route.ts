import { getClock as operation } from "#lib/operations/sandbox-clock/get-clock.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toClockResource } from "#lib/api/wire/resources.ts";
import { getClock } from "#lib/clock/sandbox-clock.ts";

export const GET = handleReadOnce(operation, async (ctx) => ({
  body: { data: toClockResource(await getClock(ctx)) },
}));
