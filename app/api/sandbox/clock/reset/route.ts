import { resetClock as operation } from "#lib/operations/sandbox-clock/reset-clock.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toClockResource } from "#lib/clock/clock-resource.ts";
import { beginReset, finishReset } from "#lib/clock/clock-reset.ts";
import type { SandboxClock } from "#lib/clock/sandbox-clock.ts";
import { isDomainError } from "#lib/base/errors.ts";
import type { DomainError } from "#lib/base/errors.ts";
import { clockAdvancing } from "#lib/ledger/accounts.ts";

export const POST = serve(operation, {
  change: async (ctx) => toReply((await beginReset(ctx)) ?? clockAdvancing()),
  finish: async (ctx) => toReply(await finishReset(ctx)),
});

function toReply(result: SandboxClock | DomainError) {
  return isDomainError(result) ? result : { body: { data: toClockResource(result) } };
}
