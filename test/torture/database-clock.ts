import { globSync } from "node:fs";

/** How a PostgreSQL is started whose clock is ahead: with a library of Debian between it and the system's clock. */

const [LIBRARY] = globSync("/usr/lib/*/faketime/libfaketime.so.1");

/** Whether the database's clock can be set ahead of the machine's. Its Debian package is libfaketime. */
export function canShiftDatabase(): boolean {
  return LIBRARY !== undefined;
}

/** The environment of a PostgreSQL whose clock is this many days ahead. Time that passes is measured as usual. */
export function toShiftedEnvironment(days: number): Readonly<Record<string, string>> {
  return days === 0
    ? {}
    : {
        LD_PRELOAD: LIBRARY ?? "",
        FAKETIME: `+${days}d`,
        FAKETIME_DISABLE_SHM: "1",
        DONT_FAKE_MONOTONIC: "1",
      };
}
