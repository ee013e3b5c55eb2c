import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { EdgeRig } from "./edge-rig.ts";

const exec = promisify(execFile);
const CARDS = 5;
const ROUNDS = 30;
const KILLS = 5;

interface Arrived {
  id: string;
  event: string;
  subject: { id: string };
  sequence: number;
}

let rig: EdgeRig;
let folder: string;
let receiver: Server;
const arrived: Arrived[] = [];

/** The command as it is installed, and a handler on this machine. */
beforeAll(async () => {
  rig = await EdgeRig.start();
  folder = mkdtempSync(path.join(tmpdir(), "listen-"));
  const address = (await rig.ask("GET /client")).body.trim();
  const tarball = await fetch(`http://127.0.0.1:${rig.port}${new URL(address).pathname}`);
  writeFileSync(path.join(folder, "client.tgz"), Buffer.from(await tarball.arrayBuffer()));
  await exec("tar", ["xzf", "client.tgz"], { cwd: folder });
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      arrived.push(JSON.parse(body));
      return response.writeHead(204).end();
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
});

afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
  rig.stop();
  rmSync(folder, { recursive: true });
});

function listen(key: string, ...more: string[]): { child: ChildProcess; output: () => string } {
  const address = receiver.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const options = ["--forward-to", `http://127.0.0.1:${port}/hooks`, "--key", key, ...more];
  const child = spawn(
    process.execPath,
    ["package/floatdeck.js", "listen", ...options, "--url", `http://127.0.0.1:${rig.port}`],
    { cwd: folder },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

const updates = () => arrived.filter(({ event }) => event === "card.updated");
const uniqueUpdates = () => new Set(updates().map(({ id }) => id));

test("listen loses no event and keeps the order of each subject, although it is killed again and again", async () => {
  const mine = await newIntegrator(1_000);
  const cards = await Promise.all(Array.from({ length: CARDS }, () => newCard(mine)));
  let running = listen(mine.apiKey);
  await vi.waitUntil(() => running.output().includes("Signing secret"), { timeout: 20_000 });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { id } of cards) {
      const body = { metadata: { round: String(round) } };
      expect(await call(`PATCH /cards/${id}`, { key: mine.apiKey, body })).toMatchObject({
        status: 200,
      });
    }
    if (round % (ROUNDS / KILLS) === 3) {
      running.child.kill("SIGKILL");
      await once(running.child, "exit");
      running = listen(mine.apiKey);
    }
  }
  await vi.waitUntil(() => uniqueUpdates().size === CARDS * ROUNDS, { timeout: 25_000 });
  running.child.kill("SIGINT");
  expect(await once(running.child, "exit")).toEqual([0, null]);
  expect(running.output()).toContain("Stopped.");
  for (const { id } of cards) {
    const own = updates().filter(({ subject }) => subject.id === id);
    const sequences = own.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  }
  const kept = JSON.parse(readFileSync(path.join(folder, ".floatdeck-listen.json"), "utf8"));
  expect(kept.secret).toMatch(/^whsec_/u);
}, 60_000);

test("listen in a folder that cannot be written says so, and what to pass", async () => {
  const mine = await newIntegrator(0);
  const { child, output } = listen(mine.apiKey, "--state", "/proc/none/listen.json");
  expect(await once(child, "exit")).toEqual([1, null]);
  expect(output()).toMatch(/^floatdeck: Cannot write \/proc\/none\/listen\.json, .* Pass --state/u);
});
