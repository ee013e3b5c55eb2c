import { randomUUID } from "node:crypto";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";
import { findFreePort } from "#db/postmaster.ts";
import { findChromium } from "./chromium.ts";
import { CLIENT, toIssuer } from "./identity-provider.ts";

/**
 * The ports of the server under test and of the identity provider, and the server's data directory. The main process chooses
 * them, and its workers inherit them.
 */
const PORT = Number((process.env["E2E_PORT"] ??= String(await findFreePort())));
process.env["E2E_PROVIDER_PORT"] ??= String(await findFreePort(PORT + 1));
const DATA_DIR = (process.env["E2E_DATA_DIR"] ??= path.join(
  tmpdir(),
  `floatdeck-e2e-${randomUUID()}`,
));

const FROZEN = "busy.spec.ts";

/** For the server and for commands of the operator: so that nothing but a hang exceeds a limit. */
process.env["TIME_LIMIT_FACTOR"] ??= "5";

/** The production build with its own database. `bin/throw-away.ts` removes the database at the end. */
export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  // These timeouts only end tests that hang; they are long because the machine may be busy.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Each test has an integrator of its own, so tests may run beside each other. Some mostly wait, hence one worker more.
  fullyParallel: true,
  workers: Math.min(2, availableParallelism()) + 1,
  // The first has a server of its own and waits longest, so it must not be last.
  projects: [
    { name: "frozen database", testMatch: FROZEN },
    { name: "flows", testIgnore: FROZEN },
  ],
  forbidOnly: true,
  reporter: [["list"], ["json"]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    actionTimeout: 60_000,
    // When its target is still moving, Playwright scrolls the page before it clicks again. An open list follows the page a
    // frame later, and the click misses it.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: findChromium(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        // No page lives long enough to win back what optimizing its scripts costs.
        "--js-flags=--no-maglev,--no-turbofan",
      ],
    },
  },
  webServer: {
    // Each test has its own integrator, so none needs the demo.
    command: "node bin/throw-away.ts --empty",
    cwd: "..",
    // A page, because pages respond later than the API.
    url: `http://127.0.0.1:${PORT}/sign-in`,
    timeout: 600_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 },
    env: {
      PORT: String(PORT),
      DATA_DIR,
      // Each test has its own client address (fixtures.ts).
      TRUSTED_PROXIES: "1",
      // Webhook receivers run on this machine.
      WEBHOOK_LOOPBACK: "on",
      // `webhooks.spec.ts` looks for them.
      WEBHOOK_ADDRESSES: "203.0.113.7,2001:db8::/48",
      OPENID_ISSUER: toIssuer(),
      OPENID_CLIENT_ID: CLIENT.id,
      OPENID_CLIENT_SECRET: CLIENT.secret,
    },
  },
});
