import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";

const STAMP = ".next/floatdeck-sources";

/** Whether the pages are built from the current sources. */
export function arePagesBuilt(): boolean {
  const stamp = path.join(ROOT, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprintSources();
}

/**
 * Builds the pages if their sources have changed since the last build.
 * @throws Error with the build's output when it fails.
 */
export function buildPages(say: (text: string) => void): void {
  if (arePagesBuilt()) {
    return;
  }
  const wanted = fingerprintSources();
  say("Building the pages (once after a change, about half a minute) …");
  const built = spawnSync(
    process.execPath,
    [path.join(ROOT, "node_modules/next/dist/bin/next"), "build"],
    {
      cwd: ROOT,
      encoding: "utf8",
      env: {
        ...process.env,
        NODE_ENV: "production",
        NEXT_OUTPUT: "standalone",
        NEXT_TELEMETRY_DISABLED: "1",
      },
    },
  );
  if (built.status !== 0) {
    throw new Error(`Could not build the pages:\n${built.stdout}${built.stderr}`);
  }
  writeFileSync(path.join(ROOT, STAMP), wanted);
}

/** Marks the pages of a release as built: it has no sources that could change. */
export function stampPages(root: string): void {
  writeFileSync(path.join(root, STAMP), fingerprintSources(root));
}

/** Changes with the sources of the pages, which include those of the client. Tests and their support are no part of them. */
export function fingerprintSources(root = ROOT): string {
  const files = globSync(
    [
      "{app,lib,db}/**/*.{ts,tsx,css}",
      "{next.config,instrumentation,instrumentation-client}.{js,ts}",
      "package-lock.json",
    ],
    { cwd: root, exclude: ["**/*.test.*"] },
  );
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    hash.update(file).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex");
}
