import { toClockWarning } from "#lib/clock-skew.ts";
import { toRetentionWarnings } from "#lib/retention.ts";

/** What an operator should look at although this server serves, a sentence each. */
export function listWarnings(): string[] {
  const clock = toClockWarning();
  return [...(clock === null ? [] : [clock]), ...toRetentionWarnings()];
}
