import type { TestResults } from "./test-results.ts";

/** The variable is set where every package that tests use is installed, as in CI. There, a skipped test fails. */
export const SKIPS = "TEST_SKIPS";

/** Skipped tests that have not failed there, by a part of their line, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "behind PgBouncer": "Debian 12 has PgBouncer 1.18, and Floatdeck needs 1.21",
  "behind a PgBouncer that loses prepared statements": "newer systems have PgBouncer 1.21",
  "a database restored from pg_dump":
    "needs the pg_dump of the embedded PostgreSQL's version or newer",
  "needs a kernel with autogroups": "not every kernel has them",
  "full-disk.fault.ts: ": "not every container may mount a disk",
};

/** The skipped tests that have failed where `TEST_SKIPS` is `fail`, in words; none elsewhere. */
export function findFailedSkips(
  { skipped }: Pick<TestResults, "skipped">,
  setting = process.env[SKIPS],
): string[] {
  return setting === "fail"
    ? skipped
        .filter((line) => !Object.keys(EXCEPTIONS).some((part) => line.includes(part)))
        .map((line) => `${line} (skipped, and it is no exception in bin/test-skips.ts)`)
    : [];
}
