import { Worker } from "node:worker_threads";
import { creditCard } from "#lib/operations/funds/credit-card.ts";
import type { IdempotencyKey } from "#lib/api/commit/idempotency-keys.ts";
import { toJsonAnswer } from "#lib/api/wire/answer.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import { FUNDS } from "#lib/api/commit/procedures.ts";
import { commit, perform } from "#lib/api/commit/perform.ts";
import type { Call } from "#lib/api/commit/perform.ts";
import type { FundsMoved, FundsRequest } from "#lib/funds/funds.ts";
import { newId } from "#lib/base/ids.ts";
import { closeDatabase, configureDatabase } from "#db/client.ts";
import {
  BASELINE_CONNECTIONS,
  driveLean,
  driveLeanAuthorization,
  driveSingly,
} from "./baselines.ts";
import type { Asker, Fixture } from "./fixture.ts";
import { driveHttp, toPageRequest, toRequestBytes } from "./http-load.ts";
import { drive, merge } from "./measure.ts";
import type { Sample } from "./measure.ts";
import { toAuthorization, toCredit, toCreditOnce, toFreezes } from "./requests.ts";
import type { Served, Stage } from "./stage.ts";

/** One measured case. Cases take turns, so each runs several times. */
export interface Case {
  name: string;
  run(durationMs: number): Promise<Sample>;
}

/** The servers and accounts that the cases use. */
export interface Scene {
  stage: Stage;
  product: Served;
  next: Served;
  nothing: Served;
  /** An account whose credits all contend for its float; its owner is signed in. */
  hot: Asker;
  /** Ten thousand cards to freeze. */
  wide: Fixture;
  /** Ten thousand cards for authorizations; no case freezes them. */
  spending: Fixture;
  /** Fifty cards: one full page of the list. */
  fifty: Asker;
}

const CLIENTS = 64;
/** Few enough that the machine has CPU time left to render pages. */
const PAYING_CLIENTS = 8;

/** The main cases, in the order in which they take turns. */
export function toCases(scene: Scene): Case[] {
  const { stage, product, next, nothing, hot, wide, spending } = scene;
  return [
    ...BASELINE_CONNECTIONS.flatMap((workers): Case[] => [
      {
        name: `A, ${workers}`,
        run: (durationMs) => driveSingly(stage, hot, { workers, durationMs }),
      },
      {
        name: `B, ${workers}`,
        run: (durationMs) => driveLean(stage, hot, { workers, durationMs }),
      },
    ]),
    { name: "empty handler", run: http(nothing, () => toRequestBytes("GET /", { key: "none" })) },
    { name: "credit, commit queue in process", run: (durationMs) => driveQueue(scene, durationMs) },
    { name: "credit", run: http(product, () => credit(hot)) },
    { name: "credit, each with a key", run: http(product, () => toCreditOnce(hot)) },
    { name: "credit, 8 clients", run: (durationMs) => driveBesideReaders(scene, 0, durationMs) },
    {
      name: "credit, 8 clients beside 2 readers of pages",
      run: (durationMs) => driveBesideReaders(scene, 2, durationMs),
    },
    { name: "credit, next start", run: http(next, () => credit(hot)) },
    ...BASELINE_CONNECTIONS.map((workers): Case => ({
      name: `B of authorize, ${workers}`,
      run: (durationMs) => driveLeanAuthorization(stage, spending, { workers, durationMs }),
    })),
    { name: "authorize", run: http(product, () => authorize(spending)) },
    { name: "freeze and unfreeze", run: http(product, toFreezes(wide.apiKey, wide.pickCard)) },
    {
      name: "freeze and unfreeze, next start",
      run: http(next, toFreezes(wide.apiKey, wide.pickCard)),
    },
    {
      name: "one client, with group commit",
      run: (durationMs) => driveAlone(scene, "queue", durationMs),
    },
    {
      name: "one client, without group commit",
      run: (durationMs) => driveAlone(scene, "none", durationMs),
    },
  ];
}

/** The cost of a page by its number of rows: one person reloads it. */
export function toPageCases({ product, fifty }: Scene): Case[] {
  const reload = (path: string): Case["run"] => {
    const request = toPageRequest(path, fifty.cookies);
    return (durationMs) => driveHttp(product, { clients: 1, durationMs }, () => request);
  };
  return [
    { name: "cards page, 50 rows", run: reload("/cards") },
    { name: "cards page, no rows", run: reload("/cards?status=closed") },
    { name: "a page that reads nothing", run: reload("/docs/errors") },
  ];
}

/** Lets servers that have just started serve credits, one after the other, until they are as warm as the product is by then. */
export async function warmUp(
  servers: readonly Served[],
  { hot }: Scene,
  durationMs: number,
): Promise<void> {
  for (const served of servers) {
    await http(served, () => toCreditOnce(hot))(durationMs);
  }
}

/** Credits on one float through one server and through three, with the same number of clients. */
export function toScaleOutCases({ product, hot }: Scene, others: readonly Served[]): Case[] {
  const servers = [product, ...others];
  const next = () => toCreditOnce(hot);
  return [
    { name: "credit, one server of three", run: http(product, next) },
    {
      name: "credit, three servers",
      run: async (durationMs) =>
        merge(
          await Promise.all(
            servers.map((served, index) => {
              const clients = Math.floor((CLIENTS + index) / servers.length);
              return driveHttp(served, { clients, durationMs }, next);
            }),
          ),
        ),
    },
  ];
}

function http(served: Served, next: (client: number) => Buffer): Case["run"] {
  return (durationMs) => driveHttp(served, { clients: CLIENTS, durationMs }, next);
}

/** Pages may take a burst of processor time at first; what is measured is how it goes on. */
const BURST_MS = 1_000;

/** Credits by a few clients while `readers` people reload the list of cards without a pause. */
async function driveBesideReaders(
  { product, hot }: Scene,
  readers: number,
  durationMs: number,
): Promise<Sample> {
  const reading = Array.from({ length: readers }, () => startReader(product, hot));
  const pay = (forMs: number) =>
    driveHttp(product, { clients: PAYING_CLIENTS, durationMs: forMs }, () => credit(hot));
  const sample = await Promise.race([
    pay(BURST_MS).then(() => pay(durationMs)),
    ...reading.map(({ failed }) => failed),
  ]);
  await Promise.all(reading.map(({ stop }) => stop()));
  return sample;
}

function startReader({ port }: Served, { cookies }: Asker) {
  const reader = new Worker(new URL("page-reader.ts", import.meta.url), {
    workerData: { port, path: "/cards", cookie: cookies },
  });
  return {
    failed: new Promise<never>((_resolve, reject) => {
      reader.once("error", reject);
    }),
    stop: () => reader.terminate(),
  };
}

function credit({ apiKey, pickCard }: Fixture): Buffer {
  return toCredit({ key: apiKey, cardId: pickCard() });
}

function authorize({ processor, pickSpendableCard }: Fixture): Buffer {
  return toAuthorization({ key: processor.key, cardId: pickSpendableCard() });
}

async function driveQueue({ stage, hot }: Scene, durationMs: number): Promise<Sample> {
  configureDatabase(stage.database.localUrl);
  try {
    return await drive({ workers: CLIENTS, durationMs }, async () => {
      await perform(FUNDS, toCall(hot));
    });
  } finally {
    await closeDatabase();
  }
}

/** Credits by a single client: the difference between the two variants is the latency that an idle commit queue adds. */
async function driveAlone(
  { stage, hot }: Scene,
  through: "queue" | "none",
  durationMs: number,
): Promise<Sample> {
  configureDatabase(stage.database.localUrl);
  const once = {
    queue: (call: FundsCall) => perform(FUNDS, call),
    none: (call: FundsCall) => commit(FUNDS, [call]),
  }[through];
  try {
    return await drive({ workers: 1, durationMs }, async () => {
      await once(toCall(hot));
    });
  } finally {
    await closeDatabase();
  }
}

type FundsCall = Call<IdempotencyKey, FundsRequest, FundsMoved>;

function toCall(fixture: Fixture): FundsCall {
  const { toReply } = cardFunds("credit");
  const request = { id: newId(), address: null, agent: "bench" };
  return {
    key: null,
    integratorId: fixture.actor.integratorId,
    group: fixture.actor.integratorId,
    request,
    instance: creditCard.path,
    input: { kind: "credit", cardId: fixture.pickCard(), amount: 1, actor: fixture.actor, request },
    toAnswered: (moved) => ({
      answer: toJsonAnswer(creditCard.status, creditCard.answer.parse(toReply(moved).body)),
    }),
  };
}
