import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { findChromium } from "./chromium.ts";

/** Takes the pictures of the README from the demo of a fresh sandbox: `npm run pictures`. */

const ROOT = path.join(import.meta.dirname, "..");
const PORT = "3918";
const ORIGIN = `http://127.0.0.1:${PORT}`;
const READY_TIMEOUT_MS = 180_000;

interface Demo {
  email: string;
  password: string;
  cardId: string;
}

const dataDir = mkdtempSync(path.join(tmpdir(), "floatdeck-pictures-"));
const server = spawn(process.execPath, [path.join(ROOT, "bin/start.ts")], {
  env: { ...process.env, PORT, DATA_DIR: dataDir, DATABASE_URL: "", FLOATDECK_ENV: "" },
  stdio: ["ignore", "ignore", "inherit"],
});
try {
  await takePictures(await waitForDemo());
} finally {
  server.kill("SIGTERM");
  await once(server, "exit");
  rmSync(dataDir, { recursive: true, force: true });
}

async function takePictures(demo: Demo): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 1,
    colorScheme: "light",
  });
  await page.goto(`${ORIGIN}/sign-in`);
  await page.getByLabel("Email").fill(demo.email);
  await page.getByLabel("Password").fill(demo.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${ORIGIN}/overview`);
  await take(page, "/overview", "overview");
  await take(page, `/cards/${demo.cardId}`, "card");
  await take(page, "/developers/webhooks", "webhooks");
  await browser.close();
}

async function take(page: Page, address: string, name: string): Promise<void> {
  await page.goto(`${ORIGIN}${address}`, { waitUntil: "networkidle" });
  await page.screenshot({ path: path.join(ROOT, "docs", `${name}.png`) });
}

/** The demo's credentials, once the server answers. */
async function waitForDemo(): Promise<Demo> {
  const file = path.join(dataDir, "demo.json");
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const ready = await fetch(`${ORIGIN}/api/health/ready`).catch(() => undefined);
    if (ready?.ok && existsSync(file)) {
      return JSON.parse(readFileSync(file, "utf8"));
    }
    await sleep(500);
  }
  throw new Error(`The server was not ready within ${READY_TIMEOUT_MS / 1_000} s.`);
}
