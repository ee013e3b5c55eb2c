import { toClockWarning } from "#lib/operator/clock-skew.ts";
import { toRetentionWarnings } from "#lib/operator/retention.ts";

/** Issues an operator should look at although this server works, one sentence each. */
export function listWarnings(): string[] {
  const clock = toClockWarning();
  return [...(clock === null ? [] : [clock]), ...toRetentionWarnings()];
}
