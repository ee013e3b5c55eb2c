import { toClockWarning } from "#lib/operator/clock-skew.ts";
import { toRetentionWarnings } from "#lib/operator/retention.ts";

/** What an operator should look at although this server serves, a sentence each. */
export function listWarnings(): string[] {
  const clock = toClockWarning();
  return [...(clock === null ? [] : [clock]), ...toRetentionWarnings()];
}
