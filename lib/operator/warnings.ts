import { toClockWarning } from "#lib/operator/clock-skew.ts";
import { toDiskWarning } from "#lib/operator/disk-watch.ts";
import type { Readiness } from "#lib/operator/readiness.ts";
import { toRetentionWarnings } from "#lib/operator/retention.ts";

/** Issues an operator should look at although this server works, one sentence each. */
export function listWarnings({ isReadOnly }: Readiness): string[] {
  const readOnly = isReadOnly
    ? 'All changes are stopped. Run "floatdeck read-only off" to allow them.'
    : null;
  const single = [readOnly, toDiskWarning(), toClockWarning()].filter(
    (warning) => warning !== null,
  );
  return [...single, ...toRetentionWarnings()];
}
