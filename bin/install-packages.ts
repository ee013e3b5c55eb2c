import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ALL_PACKAGES, findMissing, toInstallArguments } from "#test/run/packages.ts";
import { say } from "./steps.ts";

/**
 * Installs the Debian packages that tests use, for CI, without starting their services. If it cannot, it prints the
 * reason in one line and exits with 1; tests that need a package are then skipped.
 */

const TRIES = 3;
const PAUSE_MS = 10_000;
/** Makes `apt-get` ask no questions and start no services. */
const ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };

process.exitCode = (await installMissing()) ? 0 : 1;

async function installMissing(): Promise<boolean> {
  const missing = findMissing(ALL_PACKAGES);
  if (missing.length === 0) {
    say("Every package that tests use is installed.");
    return true;
  }
  const obstacle = findObstacle() ?? (await install());
  if (obstacle) {
    say(
      `${missing.join(", ")}: not installed, because ${obstacle}. Tests that need them are skipped.`,
    );
  }
  return obstacle === undefined;
}

/** @returns why nothing can be installed here, as the end of a sentence. */
function findObstacle(): string | undefined {
  if (spawnSync("apt-get", ["--version"]).status !== 0) {
    return "this system has no apt-get";
  }
  return process.getuid?.() === 0 ? undefined : "only root may install packages";
}

/** Tries again, because another process may hold the lists' lock, and mirrors fail. @returns why it failed. */
async function install(): Promise<string | undefined> {
  for (let tried = 1; ; tried += 1) {
    const missing = findMissing(ALL_PACKAGES);
    aptGet(["update"]);
    const reason = aptGet(toInstallArguments(missing));
    const left = findMissing(missing);
    if (left.length === 0) {
      say(`Installed ${missing.join(", ")}.`);
      return undefined;
    }
    if (tried === TRIES) {
      return reason || `${left.join(", ")} cannot be run`;
    }
    await sleep(PAUSE_MS);
  }
}

/** @returns the last error that it printed, empty when it succeeded. */
function aptGet(args: readonly string[]): string {
  const { status, stderr } = spawnSync("apt-get", args, { env: ENVIRONMENT, encoding: "utf8" });
  const errors = stderr.split("\n").filter((line) => line.startsWith("E: "));
  return status === 0 ? "" : (errors.at(-1)?.slice(3) ?? `apt-get exited with ${status}`);
}
