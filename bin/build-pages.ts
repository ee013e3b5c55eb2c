import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "#db/root.ts";

const STAMP = ".next/floatdeck-sources";
const NEXT = path.join(ROOT, "node_modules/next/dist/bin/next");
/** In bytes. */
const OUTPUT_MAX = 64 * 1_024 * 1_024;

/** Whether the pages are built from the current sources. */
export function arePagesBuilt(): boolean {
  const stamp = path.join(ROOT, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprintSources();
}

/**
 * Builds the pages if their sources have changed since the last build.
 * @param signal ends the build.
 * @throws Error with the build's output when it fails; the signal's reason.
 */
export async function buildPages(say: (text: string) => void, signal?: AbortSignal): Promise<void> {
  if (arePagesBuilt()) {
    return;
  }
  const wanted = fingerprintSources();
  say("Building the pages, once after a change …");
  try {
    await promisify(execFile)(process.execPath, [NEXT, "build"], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: "production",
        PAGES_ONLY: "true",
        NEXT_TELEMETRY_DISABLED: "1",
      },
      maxBuffer: OUTPUT_MAX,
      signal,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`Could not build the pages:\n${toOutput(error)}`, { cause: error });
  }
  writeFileSync(path.join(ROOT, STAMP), wanted);
}

/** The output of a program that failed, or why it could not run. */
function toOutput(error: unknown): string {
  return error instanceof Error && "stdout" in error && "stderr" in error
    ? `${String(error.stdout)}${String(error.stderr)}`
    : String(error);
}

/** Marks the pages of a release as built: it has no sources that could change. */
export function stampPages(root: string): void {
  writeFileSync(path.join(root, STAMP), fingerprintSources(root));
}

/** Hashes the sources of the pages, including those of the client, but not tests and their support files. */
export function fingerprintSources(root = ROOT): string {
  const files = globSync(
    [
      "{app,lib,db}/**/*.{ts,tsx,css}",
      "{next.config,instrumentation,instrumentation-client}.{js,ts,tsx}",
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
