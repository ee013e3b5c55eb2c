import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { client, rig, useRig } from "./each-rig.ts";
import { installClient } from "./installed-client.ts";
import { times } from "./length.ts";

useRig();

const CHANGES = times({ short: 500, long: 2_000 });
/** Requests in flight on each server. */
const CLIENTS = 4;
/** One event tells of the card's creation. */
const SEQUENCES = Array.from({ length: CHANGES + 1 }, (_, at) => at + 1);

/** Prints the sequence numbers that the library's iterator goes through. */
const PROGRAM = `
import { Floatdeck } from "floatdeck";

const sequences = [];
for await (const event of new Floatdeck({ apiKey: process.env.FLOATDECK_API_KEY }).events.list({ card_id: process.env.CARD, limit: 7 })) {
  sequences.push(event.sequence);
}
console.log(JSON.stringify(sequences));
`;

let folder: string;
let receiver: Receiver;
let listening: ReturnType<typeof start> | undefined;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "floatdeck-feed-"));
  receiver = await startReceiver();
});

afterEach(async () => {
  listening?.kill("SIGKILL");
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program of the folder with the client's credentials. */
function start(...args: string[]) {
  const environment = {
    FLOATDECK_URL: new URL(rig.baseUrl).origin,
    FLOATDECK_API_KEY: client.headers["Authorization"]?.slice("Bearer ".length),
    CARD: client.cardId,
  };
  return spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...environment } });
}

/** Changes the card until none is left, by credits and labels in turn. */
async function keepChanging(baseUrl: string, turns: Iterator<number>): Promise<void> {
  for (let turn = turns.next(); !turn.done; turn = turns.next()) {
    const [operation, body] =
      turn.value % 2 === 0
        ? ["cards/credit/balance", { card_id: client.cardId, amount: 1 }]
        : [`cards/${client.cardId}`, { metadata: { turn: String(turn.value) } }];
    const answer = await fetch(`${baseUrl}/${operation}`, {
      method: "PATCH",
      headers: client.headers,
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({ id: client.cardId });
  }
}

/** Reads the card's events page by page. */
async function readFeed(): Promise<number[]> {
  const sequences: number[] = [];
  let after = "";
  for (;;) {
    const answer = await fetch(`${rig.baseUrl}/events?card_id=${client.cardId}&limit=7${after}`, {
      headers: client.headers,
    });
    const page: { data: { sequence: number }[]; next_cursor: string } = await answer.json();
    if (page.data.length === 0) {
      return sequences;
    }
    sequences.push(...page.data.map(({ sequence }) => sequence));
    after = `&after=${page.next_cursor}`;
  }
}

/** The sequence numbers that `listen` has forwarded, in order of arrival. */
function forwarded(): number[] {
  return receiver.received
    .map(({ body }): { subject: { id: string }; sequence: number } => JSON.parse(body))
    .filter(({ subject }) => subject.id === client.cardId)
    .map(({ sequence }) => sequence);
}

test(`two servers change one card ${CHANGES} times: the feed, the iterator, and listen follow its sequence`, async () => {
  const command = path.join(await installClient(rig, folder), "floatdeck.js");
  listening = start(command, "listen", "--forward-to", receiver.url);
  let output = "";
  listening.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitUntil(() => output.includes("Signing secret"), { timeout: 20_000 });
  const second = await rig.startAnother();
  const turns = SEQUENCES.slice(1).values();
  await Promise.all(
    [rig, second].flatMap(({ baseUrl }) =>
      Array.from({ length: CLIENTS }, () => keepChanging(baseUrl, turns)),
    ),
  );
  expect(await readFeed()).toEqual(SEQUENCES);

  writeFileSync(path.join(folder, "iterate.mjs"), PROGRAM);
  expect(JSON.parse(await text(start("iterate.mjs").stdout))).toEqual(SEQUENCES);

  await vi.waitUntil(() => forwarded().length >= CHANGES, { timeout: 60_000 });
  listening.kill("SIGINT");
  await once(listening, "exit");
  expect(forwarded()).toEqual(SEQUENCES.slice(1));
});
