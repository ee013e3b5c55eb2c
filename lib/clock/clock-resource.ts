import type { SandboxClock } from "#lib/clock/sandbox-clock.ts";

export function toClockResource({ now, offsetS, advancingTo }: SandboxClock) {
  return {
    now: now.toISOString(),
    offset_seconds: offsetS,
    advancing_to: advancingTo?.toISOString() ?? null,
  };
}
