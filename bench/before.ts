import { spawnSync } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Case } from "./cases.ts";
import { driveHttp, toRequestBytes } from "./http-load.ts";
import type { Summary } from "./measure.ts";
import { toAuthorization, toCaptures, toCredit, toFreezes } from "./requests.ts";
import { ROOT, startFresh } from "./stage.ts";
import type { Served } from "./stage.ts";
import { takeTurns } from "./turns.ts";
import type { Turns } from "./turns.ts";

/** The cases that compare two checkouts, by their names in the report. */
export const COMPARED_READS = [
  "show a card, 8 clients",
  "list cards, 8 clients",
  "list transactions, 8 clients",
  "list events, 8 clients",
] as const;
export const COMPARED_WRITES = [
  "credit, 64 clients",
  "authorize, 64 clients",
  "authorize and capture, 64 clients",
  "freeze and unfreeze, 8 clients",
] as const;

type Compared = (typeof COMPARED_READS)[number] | (typeof COMPARED_WRITES)[number];

const FEW = 8;
const MANY = 64;
const DURATION_MS = 1_000;
const ROUNDS = 15;

/** The running server of one checkout, with the keys and active cards of its demo. */
interface Demo {
  served: Served;
  apiKey: string;
  processorKey: string;
  cardIds: readonly string[];
}

export function toBeforeName(name: string): string {
  return `${name}, before`;
}

/** Measures this checkout and another one, each on the demo data that its own `npm start` creates. */
export async function measureBefore(
  checkout: string,
  turns: Omit<Turns, "only" | "rounds">,
): Promise<Record<string, Summary>> {
  turns.say(`Comparing with ${checkout} …`);
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-before-"));
  const servers: Served[] = [];
  const start = async (root: string, name: string): Promise<Demo> => {
    const dataDir = path.join(dir, name);
    const served = await startFresh(dataDir, root);
    servers.push(served);
    return readDemo(served, { root, dataDir });
  };
  try {
    const now = toDrivers(await start(ROOT, "now"));
    const before = toDrivers(await start(checkout, "before"));
    const cases = [...COMPARED_READS, ...COMPARED_WRITES].flatMap((name): Case[] => [
      { name, run: now[name] },
      { name: toBeforeName(name), run: before[name] },
    ]);
    return await takeTurns(cases, DURATION_MS, { ...turns, rounds: ROUNDS, only: "" });
  } finally {
    for (const served of servers) {
      await served.stop();
    }
    rmSync(dir, { recursive: true, force: true });
  }
}

async function readDemo(
  served: Served,
  { root, dataDir }: { root: string; dataDir: string },
): Promise<Demo> {
  const { apiKey }: { apiKey: string } = JSON.parse(
    readFileSync(path.join(dataDir, "demo.json"), "utf8"),
  );
  const created = spawnSync(
    "npm",
    ["run", "-s", "floatdeck", "--", "processor-key", "create", "--name", "Bench", "--json"],
    { cwd: root, encoding: "utf8", env: { ...process.env, DATA_DIR: dataDir } },
  );
  const { key }: { key: string } = JSON.parse(created.stdout);
  const answer = await fetch(`http://127.0.0.1:${served.port}/api/cards?status=active&limit=100`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const cards: { id: string }[] = await answer.json();
  return { served, apiKey, processorKey: key, cardIds: cards.map(({ id }) => id) };
}

function toDrivers({ served, apiKey, processorKey, cardIds }: Demo): Record<Compared, Case["run"]> {
  const pickCard = () => cardIds[randomInt(cardIds.length)] ?? "";
  const drive =
    (clients: number, next: (client: number) => Buffer): Case["run"] =>
    (durationMs) =>
      driveHttp(served, { clients, durationMs }, next);
  const read = (toPath: () => string) =>
    drive(FEW, () => toRequestBytes(`GET /api${toPath()}`, { key: apiKey }));
  return {
    "show a card, 8 clients": read(() => `/cards/${pickCard()}`),
    "list cards, 8 clients": read(() => "/cards?limit=10"),
    "list transactions, 8 clients": read(() => "/transactions?limit=10"),
    "list events, 8 clients": read(() => "/events?limit=10"),
    "credit, 64 clients": drive(MANY, () =>
      toCredit({ key: apiKey, cardId: pickCard(), idempotencyKey: randomUUID() }),
    ),
    "authorize, 64 clients": drive(MANY, () =>
      toAuthorization({ key: processorKey, cardId: pickCard() }),
    ),
    "authorize and capture, 64 clients": drive(MANY, toCaptures(processorKey, pickCard)),
    // Few cards: each client has its own.
    "freeze and unfreeze, 8 clients": drive(
      FEW,
      toFreezes(apiKey, (client) => cardIds[client] ?? ""),
    ),
  };
}
