import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";
import { fingerprintSources } from "./build-pages.ts";

/** The client library that `floatdeck/testing` uses, with its types: the one that every server serves. */
const FOLDER = path.join(ROOT, "testing/client");
const STAMP = path.join(FOLDER, "floatdeck-sources");
const FILES = ["index.js", "index.d.ts", "index.d.cts", "contract.d.cts"] as const;
/** The server that the client calls by default. Tests always name another. */
const DEFAULT_URL = "http://127.0.0.1:3000";

/** Whether the client was written from the current sources. */
export function isTestingClientWritten(): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprintSources();
}

/** Writes the client if the sources have changed since it was last written. */
export async function writeTestingClient(): Promise<void> {
  if (isTestingClientWritten()) {
    return;
  }
  // Loaded only here: it takes most of a second, and every start asks whether the client is written.
  const { toClientFiles } = await import("#lib/api/client-package/package.ts");
  const files = await toClientFiles(DEFAULT_URL);
  // A suite that runs meanwhile finds the old client or the new one, never half of one.
  const next = `${FOLDER}.${process.pid}`;
  mkdirSync(next);
  for (const name of FILES) {
    writeFileSync(path.join(next, name), files[name] ?? "");
  }
  writeFileSync(path.join(next, path.basename(STAMP)), fingerprintSources());
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(next, FOLDER);
}
