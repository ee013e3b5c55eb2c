import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createDemo } from "#lib/operator/demo.ts";
import type { Demo } from "#lib/operator/demo.ts";
import { analyze } from "#db/migrate.ts";
import type { Db } from "#db/client.ts";

/** Where the demo's credentials are kept. */
function toDemoFile(dataDir: string): string {
  return path.join(dataDir, "demo.json");
}

/** The credentials of the demo that was made from this data directory. */
export function readKeptDemo(dataDir: string): Demo | undefined {
  const file = toDemoFile(dataDir);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** What the demo's owner and programs sign in with, a line each, for a terminal. */
export function toCredentialLines(demo: Demo, dataDir: string): string[] {
  return [
    `    password        ${demo.password}`,
    `  Demo integrator   ${demo.integratorId}`,
    `  Demo API key      ${demo.apiKey}`,
    `  Kept in           ${toDemoFile(dataDir)}`,
  ];
}

/**
 * Makes the demo in an empty sandbox, and keeps its credentials. Does nothing in any other installation.
 * @param ownerUrl connects as the role that owns the tables.
 */
export async function makeDemo(
  db: Db,
  { dataDir, ownerUrl }: { dataDir: string; ownerUrl: string },
): Promise<Demo | undefined> {
  const made = await createDemo(db);
  if (made) {
    writeFileSync(toDemoFile(dataDir), JSON.stringify(made, null, 2), { mode: 0o600 });
    await analyze(ownerUrl);
  }
  return made;
}
