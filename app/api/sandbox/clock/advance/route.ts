import { advanceClock as operation } from "#lib/operations/sandbox-clock/advance-clock.ts";
import { handleFollowed } from "#lib/api/edge/handle-steps.ts";
import { toClockResource } from "#lib/api/wire/resources.ts";
import { completeMove } from "#lib/clock/clock-move.ts";
import { beginAdvance } from "#lib/clock/sandbox-clock.ts";

export const POST = handleFollowed(
  operation,
  async (ctx, { body: { by_seconds: byS, to } }) => ({
    body: { data: toClockResource(await beginAdvance(ctx, { byS, to })) },
  }),
  completeMove,
);
