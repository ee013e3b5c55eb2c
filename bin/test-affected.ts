import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";

/** Which tests have to run: all of them, those of the files that import what has changed, or none. */
type Extent = "all" | "changed" | "none";

/** What has to run for a change. */
export interface Affected {
  unit: Extent;
  browser: Extent;
}

/** Almost every test reaches these, through the API. */
const ROUTED = /^(?:app\/api|lib|db|package-lock\.json|package\.json)/u;
const IS_TEST = /\.test\.ts$/u;
const UNIT_FREE = /^e2e\/.*\.spec\.ts$/u;
/** What no page and no server contains. */
const BROWSER_FREE = /\.test\.ts$|\.md$|^(?:bench|test|docs\/alerts)\//u;
/** The docs are pages. */
const SERVED = /^docs\/[^/]+\.md$/u;

/** What has to run when these files have changed. */
export function findAffected(changed: readonly string[]): Affected {
  const seen = changed.filter((file) => SERVED.test(file) || !BROWSER_FREE.test(file));
  const isOfTests = seen.every((file) => file.startsWith("e2e/"));
  return {
    unit: toUnitExtent(changed.filter((file) => !UNIT_FREE.test(file))),
    browser: seen.length === 0 ? "none" : isOfTests ? "changed" : "all",
  };
}

function toUnitExtent(changed: readonly string[]): Extent {
  if (changed.length === 0) {
    return "none";
  }
  return changed.some((file) => ROUTED.test(file) && !IS_TEST.test(file)) ? "all" : "changed";
}

/** The files that differ from the commit where this branch left `base`, committed or not. */
export function listChanged(base: string): { since: string; files: string[] } {
  const [since = "HEAD"] = git("merge-base", base, "HEAD");
  const files = [
    ...git("diff", "--name-only", since),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  return { since, files };
}

function git(...args: string[]): string[] {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);
}

/** Tests that read files of the checkout or start programs. Their imports do not show what they depend on. */
export function listUntraceable(): string[] {
  return globSync("{app,bench,bin,db,lib,test}/**/*.test.ts", { cwd: ROOT }).filter((file) =>
    /\b(?:globSync|readFileSync|readdirSync|spawn|spawnSync|exec|execFile|execFileSync|startEmbedded|startFloatdeck)\(/u.test(
      readFileSync(path.join(ROOT, file), "utf8"),
    ),
  );
}
