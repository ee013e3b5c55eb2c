import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { findChromium } from "./chromium.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";

/** Takes the pictures of the README from the demo of a fresh sandbox: `npm run pictures`. */

const ROOT = path.join(import.meta.dirname, "..");
const PORT = "3918";
const RECEIVER_PORT = 3_919;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const READY_TIMEOUT_MS = 180_000;
/** The event that the receiver refuses, so that the picture shows a retry. */
const FAILING_EVENT = "card.unfrozen";

interface Demo {
  email: string;
  password: string;
  apiKey: string;
  cardId: string;
}

const dataDir = mkdtempSync(path.join(tmpdir(), "floatdeck-pictures-"));
const server = spawn(process.execPath, [path.join(ROOT, "bin/start.ts")], {
  env: { ...process.env, PORT, DATA_DIR: dataDir, DATABASE_URL: "", FLOATDECK_ENV: "" },
  stdio: ["ignore", "ignore", "inherit"],
});
const receiver = await startReceiver(undefined, { port: RECEIVER_PORT });
try {
  const demo = await waitForDemo();
  await notify(demo, receiver);
  await takePictures(demo);
} finally {
  server.kill("SIGTERM");
  await once(server, "exit");
  await receiver.stop();
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
  await page.goto(`${ORIGIN}/sign-in`, { waitUntil: "networkidle" });
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
  await page.getByRole("heading", { level: 1 }).waitFor();
  // Some skeletons stay in the page, hidden, after their content has loaded.
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main .skeleton")].every((place) => !place.checkVisibility()),
  );
  await page.screenshot({ path: path.join(ROOT, "docs", `${name}.png`) });
}

/** Sends a few webhooks to the receiver. It refuses one of them twice. */
async function notify(demo: Demo, { url, received, behave, waitFor }: Receiver): Promise<void> {
  behave((response) => {
    const { event } = JSON.parse(received.at(-1)?.body ?? "{}");
    response.writeHead(event === FAILING_EVENT ? 503 : 200).end();
  });
  const { cardId } = demo;
  const card = `/cards/${cardId}`;
  await change(demo, "PATCH /card-integrators/update", { webhook_url: url });
  await change(demo, "PATCH /card-integrators/top-up-float", { amount: 50_000 });
  await change(demo, `POST ${card}/mock-transaction`, { type: "deduct", amount: 1_850 });
  await change(demo, `PATCH ${card}/freeze`);
  await change(demo, `POST ${card}/mock-transaction`, { type: "deduct", amount: 4_200 });
  await change(demo, `PATCH ${card}/unfreeze`);
  // Setting the URL also sends a test webhook, and the refused delivery arrives a second time.
  await waitFor(8);
  await change(demo, "PATCH /cards/credit/balance", { card_id: cardId, amount: 12_000 });
  await change(demo, "PATCH /cards/debit/balance", { card_id: cardId, amount: 2_500 });
  await waitFor(10);
}

/** Makes one change through the API: `call` is its method and its path. */
async function change({ apiKey }: Demo, call: string, body?: object): Promise<void> {
  const [method = "", address = ""] = call.split(" ");
  const answer = await fetch(`${ORIGIN}/api${address}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify(body ?? {}),
  });
  if (!answer.ok) {
    throw new Error(`${call} answers ${answer.status}: ${await answer.text()}`);
  }
}

/** The demo's credentials, once the server answers. */
async function waitForDemo(): Promise<Demo> {
  const file = path.join(dataDir, "demo.json");
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const ready = await fetch(`${ORIGIN}/sign-in`).catch(() => undefined);
    if (ready?.ok && existsSync(file)) {
      return JSON.parse(readFileSync(file, "utf8"));
    }
    await sleep(500);
  }
  throw new Error(`The server was not ready within ${READY_TIMEOUT_MS / 1_000} s.`);
}
