import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rig, useRig } from "./each-rig.ts";
import { installClient } from "./installed-client.ts";
import { times } from "./length.ts";
import { newClient, readEffects } from "./load.ts";
import type { Client } from "./load.ts";

useRig();

const KILLS = times({ short: 5, long: 20 });
/** The program prints one of these for each credit of an integrator's card. */
const MARKS = ["a", "b", "c"];
const CREDITS_BEFORE_KILL = 2;

/** Credits each card from three loops until its input ends, with all that the client does by itself. */
const PROGRAM = `
import { Floatdeck } from "floatdeck";

let attempts = 0;
const { fetch } = globalThis;
globalThis.fetch = (...given) => {
  attempts += 1;
  return fetch(...given);
};
let isRunning = true;
process.stdin.on("end", () => (isRunning = false)).resume();
const cards = JSON.parse(process.env.CARDS).map((card) => ({ ...card, credits: 0 }));

async function work(card) {
  const client = new Floatdeck({ apiKey: card.apiKey });
  while (isRunning) {
    await client.cards.credit({ card_id: card.cardId, amount: 1 });
    card.credits += 1;
    process.stdout.write(card.mark);
  }
}

await Promise.all(cards.flatMap((card) => [work(card), work(card), work(card)]));
console.log("\\n" + JSON.stringify({ attempts, credits: cards.map(({ credits }) => credits) }));
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "floatdeck-client-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function startProgram(clients: readonly Client[]) {
  writeFileSync(path.join(folder, "credit.mjs"), PROGRAM);
  const cards = clients.map(({ cardId, headers }, at) => ({
    cardId,
    mark: MARKS[at],
    apiKey: headers["Authorization"]?.slice("Bearer ".length),
  }));
  const child = spawn(process.execPath, ["credit.mjs"], {
    cwd: folder,
    env: { ...process.env, CARDS: JSON.stringify(cards) },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output, problems: text(child.stderr) };
}

/** Resolves once the program has credited each integrator's card this often again, or has ended. */
async function creditsOfEach(program: ReturnType<typeof startProgram>): Promise<void> {
  const before = program.output().length;
  const hasAll = () => {
    const marks = program.output().slice(before);
    return MARKS.every((mark) => marks.split(mark).length > CREDITS_BEFORE_KILL);
  };
  await vi.waitUntil(() => hasAll() || program.child.exitCode !== null, { timeout: 60_000 });
}

test(`${KILLS} times kill -9 of the server while a program credits through the client: each credit is there once`, async () => {
  const clients: Client[] = [];
  for (let made = 0; made < MARKS.length; made += 1) {
    clients.push(await newClient(rig));
  }
  await installClient(rig, folder);
  const program = startProgram(clients);
  const exit = once(program.child, "exit");
  for (let kill = 0; kill < KILLS; kill += 1) {
    await creditsOfEach(program);
    // At any moment of a credit.
    await sleep(Math.random() * 100);
    const gone = once(rig.server, "exit");
    rig.server.kill("SIGKILL");
    await gone;
    await rig.restartServer();
  }
  program.child.stdin.end();
  await exit;
  expect(await program.problems).toBe("");
  const report: { attempts: number; credits: number[] } = JSON.parse(
    program.output().slice(program.output().indexOf("\n")),
  );
  expect(report.attempts - report.credits.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(
    KILLS,
  );
  for (const [at, client] of clients.entries()) {
    const credits = report.credits[at] ?? 0;
    expect(credits).toBeGreaterThan(KILLS);
    expect(await readEffects(rig, client)).toEqual({ keyed: credits, balance: credits });
  }
  expect(await rig.sweep()).toEqual([]);
});
