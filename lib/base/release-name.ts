import path from "node:path";
import manifest from "#package.json" with { type: "json" };

/** Where a release keeps its name. A checkout has no such file. */
export const RELEASE_FILE = "release.txt";

/**
 * What this program was made from: `0.5.0+20261128.4fff6824` is version, day (UTC), and commit. Only the version where
 * neither a release's file nor git knows more.
 * @param root the folder of the checkout or the release.
 */
export function readReleaseName(root: string): string {
  return readReleased(root) ?? nameCheckout(root);
}

// The build of the pages would follow an import to every file that these could read.
const { existsSync, readFileSync } = process.getBuiltinModule("node:fs");
const { execFileSync } = process.getBuiltinModule("node:child_process");

function readReleased(root: string): string | undefined {
  const file = path.join(root, RELEASE_FILE);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

function nameCheckout(root: string): string {
  // Without it, git would name the commit of a repository around this folder.
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
