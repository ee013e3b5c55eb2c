import path from "node:path";
import manifest from "#package.json" with { type: "json" };

/** Where a release keeps its name. A checkout has no such file. */
export const RELEASE_FILE = "release.txt";

/**
 * What this program was built from: `0.5.0+20261128.4fff6824` is the version, the day (UTC), and the commit. Only the
 * version if there is neither a release's file nor a git repository.
 * @param root the folder of the checkout or the release.
 */
export function readReleaseName(root: string): string {
  return readReleased(root) ?? nameCheckout(root);
}

// Not imported, because the build of the pages would then include every file that these functions could read.
const { existsSync, readFileSync } = process.getBuiltinModule("node:fs");
const { execFileSync } = process.getBuiltinModule("node:child_process");

function readReleased(root: string): string | undefined {
  const file = path.join(root, RELEASE_FILE);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

function nameCheckout(root: string): string {
  // Without this check, git would name the commit of a repository around this folder.
  if (!existsSync(path.join(root, ".git"))) {
    return manifest.version;
  }
  try {
    const [seconds, commit = ""] = execFileSync("git", ["log", "-1", "--format=%ct %h"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: GIT_MAX_MS,
    })
      .trim()
      .split(" ");
    const day = new Date(Number(seconds) * 1_000).toISOString().slice(0, 10).replaceAll("-", "");
    return `${manifest.version}+${day}.${commit}`;
  } catch {
    return manifest.version;
  }
}

const GIT_MAX_MS = 2_000;
