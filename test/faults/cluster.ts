import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { startEmbedded } from "#db/embedded.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";

/** Starts a migrated PostgreSQL of the caller's own, from a copy of the one that was made for this run. */
export async function startCluster(): Promise<{ dir: string; database: EmbeddedDatabase }> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-fault-"));
  // With all attributes: the files belong to the account that PostgreSQL runs as.
  execFileSync("cp", ["-a", `${inject("cluster")}/.`, dir]);
  chmodSync(dir, 0o755);
  return { dir, database: await startEmbedded(dir) };
}
