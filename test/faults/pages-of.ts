import { spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { toBundle } from "../../bin/bundle.mjs";

/** The id of the process that serves a server's pages; undefined while there is none. */
export function pagesOf({ pid }: ChildProcess): number | undefined {
  const { stdout } = spawnSync("ps", ["-o", "pid=,args=", "--ppid", String(pid)], {
    encoding: "utf8",
  });
  const found = stdout.split("\n").find((line) => line.endsWith(` ${toBundle("pages.ts")}`));
  return found === undefined ? undefined : Number.parseInt(found, 10);
}

/** Ends it, if there is one at the moment. */
export function killPages(server: ChildProcess): void {
  const pid = pagesOf(server);
  if (pid !== undefined) {
    process.kill(pid, "SIGKILL");
  }
}
