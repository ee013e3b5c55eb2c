import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./chromium.ts";
import { CLIENT, toIssuer } from "./identity-provider.ts";

const PORT = Number(process.env["E2E_PORT"] ?? 3_917);

/** Where the server under test keeps its data. Workers inherit the name from the process that makes it up. */
const DATA_DIR = (process.env["E2E_DATA_DIR"] ??= path.join(
  tmpdir(),
  `floatdeck-e2e-${randomUUID()}`,
));

/** The production build with a database of its own; `serve.ts` takes both away again. */
export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  // Each wait ends with what it waits for. These only end what hangs, on a machine that does much else at once, too.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 1,
  forbidOnly: true,
  reporter: [["list"], ["json"]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    actionTimeout: 60_000,
    launchOptions: {
      executablePath: findChromium(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
  webServer: {
    command: `node e2e/serve.ts`,
    cwd: "..",
    // A page: they answer later than the API.
    url: `http://127.0.0.1:${PORT}/sign-in`,
    timeout: 600_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 },
    env: {
      PORT: String(PORT),
      E2E_DATA_DIR: DATA_DIR,
      // Each test has an address of its own (fixtures.ts).
      TRUSTED_PROXIES: "1",
      // The receivers of notifications run beside the tests.
      WEBHOOK_LOOPBACK: "on",
      OPENID_ISSUER: toIssuer(PORT),
      OPENID_CLIENT_ID: CLIENT.id,
      OPENID_CLIENT_SECRET: CLIENT.secret,
    },
  },
});
