import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { newKey } from "#lib/access/key-text.ts";
import { FIRST_CELL } from "#lib/base/env.ts";
import type { Asker } from "./fixture.ts";
import { toPageRequest, toRequestBytes } from "./http-load.ts";
import type { MisbehaviorPlan } from "./misbehave.ts";
import { toBulkCreditBody } from "./requests.ts";
import { SIGN_IN, askForToken, toSignIn, toSignInForm } from "./sign-in.ts";
import type { Served } from "./stage.ts";

/** One way to misbehave. */
export interface Kind {
  name: string;
  /** Does some work while somebody misbehaves, and ends the misbehavior after it. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

interface Misbehaving {
  tenant: Asker;
  /** A key of the tenant that may change nothing. */
  readingKey: string;
  say(text: string): void;
}

/** Where the misbehaving client is. Nobody else has this address. */
const FROM = "127.0.0.2";
const SOME = 16;
const FEW = 4;
const SLOW_BODIES = 256;
const IDLE_SOCKETS = 1_024;
const LONG_BODY_BYTES = 400_000;
const JOBS = 21;

/** How often the server did what. */
const countsSchema = z.record(z.string(), z.number());

/** All kinds of misbehavior, each by one tenant or from one address. */
export async function toKinds(served: Served, misbehaving: Misbehaving): Promise<Kind[]> {
  const { tenant, readingKey } = misbehaving;
  const { csrfToken, cookie } = await askForToken(served);
  const wrongKey = newKey({ environment: "sandbox", cell: FIRST_CELL });
  const guess = toSignInForm({ csrfToken, email: tenant.email, password: "not the password" });
  const slowBody = `POST ${SIGN_IN} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nc`;
  const repeat = (name: string, client: Omit<Client, "name" | "mode">) =>
    toClientKind(served, misbehaving, { name, mode: "repeat", ...client });
  const hold = (name: string, connections: number, text: string) =>
    toClientKind(served, misbehaving, {
      name,
      mode: "hold",
      connections,
      answers: [],
      request: Buffer.from(text),
    });
  return [
    repeat("wrong keys", {
      connections: SOME,
      answers: [401, 429],
      request: toRequestBytes("GET /api/cards", { key: wrongKey }),
    }),
    repeat("wrong passwords", {
      connections: SOME,
      answers: [401],
      request: toSignIn({ form: guess, cookie }),
    }),
    hold("slow sign-in bodies", SLOW_BODIES, slowBody),
    hold("idle sockets", IDLE_SOCKETS, ""),
    repeat("long invalid bodies", {
      connections: FEW,
      answers: [403],
      request: toInvalidBulk(readingKey),
    }),
    { name: "21 bulk jobs", during: (work) => besideJobs(served, tenant, work) },
    repeat("pages in masses", {
      connections: SOME,
      answers: [200],
      request: toPageRequest("/cards", tenant.cookies, { compressed: true }),
    }),
  ];
}

function toInvalidBulk(key: string): Buffer {
  const item = { card_id: "x", amount: "much", more: 12_345 };
  const length = Math.ceil(LONG_BODY_BYTES / (JSON.stringify(item).length + 1));
  const items = Array.from({ length }, () => item);
  return toRequestBytes("POST /api/bulk", {
    key,
    body: JSON.stringify({ operation: "freeze", items }),
  });
}

/** A misbehaving client, and the statuses that the server may answer it with. */
type Client = Pick<MisbehaviorPlan, "mode" | "connections"> & {
  name: string;
  request: Buffer;
  answers: readonly number[];
};

/** @throws Error when the server answered something else, so that another misbehavior was measured. */
function requireAnswers(
  name: string,
  { counts, answers }: Pick<Client, "answers"> & { counts: Readonly<Record<string, number>> },
): void {
  const expected = new Set(["opened", "closed", ...answers.map(String)]);
  const other = Object.keys(counts).find((what) => !expected.has(what));
  if (other !== undefined) {
    throw new Error(`${name}: the server answered ${other}.`);
  }
}

/** A kind for which a process of its own sends something over many connections. */
function toClientKind(
  { port }: Served,
  misbehaving: Misbehaving,
  { name, request, answers, ...how }: Client,
): Kind {
  const plan: MisbehaviorPlan = { port, from: FROM, base64: request.toString("base64"), ...how };
  return {
    name,
    during: async (work) => {
      // Detached, so that it is in a session of its own and its priority can be the lowest.
      const client = fork(path.join(import.meta.dirname, "misbehave.ts"), { detached: true });
      try {
        const begun = once(client, "message");
        client.send(plan);
        await begun;
        const done = await work();
        const counted = once(client, "message");
        client.send("stop");
        const counts = countsSchema.parse((await counted)[0]);
        misbehaving.say(`${name}: ${JSON.stringify(counts)}`);
        requireAnswers(name, { counts, answers });
        return done;
      } finally {
        const gone = once(client, "exit");
        client.kill();
        await gone;
      }
    },
  };
}

async function besideJobs<T>(
  served: Served,
  { apiKey, cardIds }: Asker,
  work: () => Promise<T>,
): Promise<T> {
  const body = toBulkCreditBody(cardIds);
  const ask = async (line: string, sent?: string) => {
    const [method = "", address = ""] = line.split(" ");
    const answer = await fetch(`http://127.0.0.1:${served.port}${address}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(sent === undefined ? {} : { body: sent }),
    });
    if (!answer.ok) {
      throw new Error(`${line} was answered with ${answer.status}.`);
    }
    const { data }: { data: { id: string; ended_at: string | null } } = await answer.json();
    return data;
  };
  const ids: string[] = [];
  while (ids.length < JOBS) {
    const { id } = await ask("POST /api/bulk", body);
    ids.push(id);
  }
  const done = await work();
  for (const id of ids) {
    await ask(`POST /api/bulk/${id}/cancel`);
    while ((await ask(`GET /api/bulk/${id}`)).ended_at === null) {
      await sleep(50);
    }
  }
  return done;
}
