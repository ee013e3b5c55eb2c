import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { buildPages } from "../../bin/build-pages.ts";
import { bundle } from "../../bin/bundle.mjs";
import { startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The data directory of a migrated cluster that does not run. Each rig starts from a copy of it. */
    cluster: string;
  }
}

/**
 * Every program of the suite is the bundle that production runs, and starts in a fifth of the time that its sources take.
 * Every server finds its pages built: a build would take longer than one may take to become ready. Every rig finds a cluster
 * to copy: to create and migrate one takes longer than most faults.
 */
export default async function setUp(project: TestProject): Promise<() => void> {
  await bundle();
  await buildPages((text) => void process.stdout.write(`${text}\n`));
  const cluster = mkdtempSync(path.join(tmpdir(), "floatdeck-cluster-"));
  chmodSync(cluster, 0o755);
  const database = await startEmbedded(cluster);
  await migrate(database.ownerUrl, database.appRole);
  await database.stop();
  project.provide("cluster", cluster);
  return () => rmSync(cluster, { recursive: true, force: true });
}
