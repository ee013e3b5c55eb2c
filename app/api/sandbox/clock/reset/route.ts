import { resetClock as operation } from "#lib/operations/sandbox-clock/reset-clock.ts";
import { handleAnnounced } from "#lib/api/edge/handle-steps.ts";
import { toClockResource } from "#lib/api/wire/resources.ts";
import { beginReset, concludeReset } from "#lib/clock/clock-reset.ts";
import type { SandboxClock } from "#lib/clock/sandbox-clock.ts";
import { isDomainError } from "#lib/base/errors.ts";
import type { DomainError } from "#lib/base/errors.ts";
import { clockAdvancing } from "#lib/ledger/accounts.ts";

export const POST = handleAnnounced(operation, {
  begin: async (ctx) => toReply((await beginReset(ctx)) ?? clockAdvancing()),
  conclude: async (ctx) => toReply(await concludeReset(ctx)),
});

function toReply(result: SandboxClock | DomainError) {
  return isDomainError(result) ? result : { body: { data: toClockResource(result) } };
}
