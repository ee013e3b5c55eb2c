import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

/** In order of preference: the shell draws nothing on a screen, which takes a third less time. */
const SYSTEM = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
] as const;

/**
 * Finds the browser to test with: the system's, else Playwright's, else Debian's, which it installs.
 * @throws Error with one sentence when there is none and none can be installed.
 */
export function findChromium(): string {
  const found = [...SYSTEM, chromium.executablePath()].find((file) => existsSync(file));
  if (found) {
    return found;
  }
  process.stdout.write("floatdeck: Installing Chromium with apt-get (once) …\n");
  try {
    const options = {
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    } as const;
    execFileSync("apt-get", ["update", "-q"], options);
    execFileSync(
      "apt-get",
      ["install", "-y", "-q", "--no-install-recommends", "chromium-headless-shell"],
      options,
    );
  } catch (cause) {
    throw new Error(
      "No Chromium was found; install one (for example with apt-get install chromium).",
      { cause },
    );
  }
  return SYSTEM[0];
}
