import { toClockWarning } from "#lib/operator/clock-skew.ts";
import { toDiskWarning } from "#lib/operator/disk-watch.ts";
import { toReadOnlyWarning } from "#lib/operator/readiness.ts";
import { toRetentionWarnings } from "#lib/operator/retention.ts";

/** Issues an operator should look at although this server works, one sentence each. */
export function listWarnings(): string[] {
  const single = [toReadOnlyWarning(), toDiskWarning(), toClockWarning()].filter(
    (warning) => warning !== null,
  );
  return [...single, ...toRetentionWarnings()];
}
