import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { createApiKey } from "#lib/access/api-keys.ts";
import { openDatabase } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";
import { inTransaction } from "#db/transaction.ts";
import { CARDHOLDER, toRegistration } from "#test/scene/people.ts";
import type { Rig } from "./rig.ts";

/** An integrator over HTTP, with a card to fund. */
export interface Client {
  integratorId: string;
  /** The owner's, who signs in with `PASSWORD`. */
  email: string;
  cardId: string;
  headers: Record<string, string>;
}

/** One response as the client saw it. Status 0 means no response. A proxy's own response has no code. */
export interface Seen {
  status: number;
  code: string | null;
  ms: number;
  retryAfter: string | null;
  /** Null for an answer that no server gave. */
  requestId: string | null;
  /** When it came, on the clock of `performance`. */
  at: number;
}

/** The sum of the product's own limits for a request, including the lookup of a commit's outcome, and a second. */
const REQUEST_TIMEOUT_MS =
  1_000 + timeLimit("begin") + timeLimit("work") + timeLimit("commit") + timeLimit("outcome");

type Server = Pick<Rig, "baseUrl">;

/** Sends a request that must succeed. @returns the body of the answer. */
export async function send(
  { baseUrl }: Server,
  line: string,
  { headers = {}, body }: { headers?: Record<string, string>; body: unknown },
) {
  const [method = "", path = ""] = line.split(" ");
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) {
    throw new Error(`${path}: ${await answer.text()}`);
  }
  return answer.json();
}

/** Registers an integrator with money and one card through the API. */
export async function newClient(rig: Server): Promise<Client> {
  const account = await newAccount(rig, 1_000_000);
  return { ...account, cardId: await issueCard(rig, account) };
}

type Account = Omit<Client, "cardId">;

/**
 * Registers an integrator through the API, and tops up its float. Each registration reports a new client address, so
 * that the limit per address does not refuse it.
 */
export async function newAccount(rig: Server, float: number): Promise<Account> {
  const email = `${randomUUID()}@northwind.example`;
  const address = `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;
  const registration = { headers: { "X-Forwarded-For": address }, body: toRegistration(email) };
  const { data } = await send(rig, "POST /card-integrators/register-integrator", registration);
  const headers = {
    "Content-Type": "application/json",
    Authorization: `Bearer ${data.api_key}`,
  };
  const topUp = { headers, body: { amount: float } };
  await send(rig, "PATCH /card-integrators/top-up-float", topUp);
  return { integratorId: data.id, email, headers };
}

/** Issues a card to a new cardholder. @returns its id. */
export async function issueCard(
  rig: Server,
  { integratorId, headers }: Account,
  { singleUse = false } = {},
): Promise<string> {
  const person = { ...CARDHOLDER, email: `${randomUUID()}@northwind.example` };
  const path = `/card-integrators/${integratorId}/register-user`;
  const user = await send(rig, `POST ${path}`, { headers, body: person });
  const wanted = {
    user_id: user.data.id,
    currency: "USD",
    design_type: "midnight",
    single_use: singleUse,
    validity: 365,
  };
  const card = await send(rig, "POST /cards/create-virtual-card", { headers, body: wanted });
  return card.data.id;
}

/** A key of the card network. */
export async function newProcessorKey({ database }: Pick<Rig, "database">): Promise<string> {
  const opened = openDatabase(database.ownerUrl, { max: 1 });
  try {
    const { key } = await inTransaction(opened.db, (tx) =>
      createApiKey(tx, {
        integratorId: null,
        environment: "sandbox",
        name: "Network",
        scopes: ["processor"],
        expiresAt: null,
        createdBy: "test",
      }),
    );
    return key;
  } finally {
    await opened.close();
  }
}

/** Credits the card with 1 under a key, once. @returns the response. */
export async function credit(
  rig: Pick<Rig, "baseUrl">,
  client: Client,
  key: string | null,
): Promise<Seen> {
  const started = performance.now();
  const seen = (answered: Partial<Seen>): Seen => {
    const at = performance.now();
    const none = { status: 0, code: null, retryAfter: null, requestId: null };
    return { ...none, ...answered, at, ms: at - started };
  };
  try {
    const answer = await fetch(`${rig.baseUrl}/cards/credit/balance`, {
      method: "PATCH",
      headers: { ...client.headers, ...(key ? { "Idempotency-Key": key } : {}) },
      body: JSON.stringify({ card_id: client.cardId, amount: 1 }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const { status, headers } = answer;
    const isOurs = headers.get("Content-Type")?.includes("json") ?? false;
    const text = await answer.text();
    const body: { code?: string } = isOurs ? JSON.parse(text) : {};
    return seen({
      status,
      code: body.code ?? null,
      retryAfter: headers.get("Retry-After"),
      requestId: headers.get("X-Request-Id"),
    });
  } catch {
    return seen({});
  }
}

/** Clients that credit without a pause, each request under its own key and repeated until it is acknowledged. */
export class Load {
  readonly acknowledged: string[] = [];
  readonly seen: Seen[] = [];
  private running = true;
  private readonly workers: Promise<void>[];
  private readonly rig: Pick<Rig, "baseUrl">;
  private readonly client: Client;

  constructor(
    rig: Pick<Rig, "baseUrl">,
    client: Client,
    clients: { count: number; pauseMs: number },
  ) {
    this.rig = rig;
    this.client = client;
    this.workers = Array.from({ length: clients.count }, () => this.work(clients.pauseMs));
  }

  /** Ends after every started request has been acknowledged. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.workers);
  }

  private async work(pauseMs: number): Promise<void> {
    while (this.running) {
      const key = randomUUID();
      for (;;) {
        const seen = await credit(this.rig, this.client, key);
        this.seen.push(seen);
        if (seen.status === 200) {
          break;
        }
        await sleep(100);
      }
      this.acknowledged.push(key);
      await sleep(pauseMs);
    }
  }
}

/** A client's credits in the database: the number of transfers per key, and the card's balance. */
export async function readEffects(
  rig: Rig,
  client: Client,
): Promise<{ keyed: number; balance: number }> {
  const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const [row] = await owner`
      select (select count(*)::int from transfers
          where integrator_id = ${client.integratorId} and idempotency_key is not null) as keyed,
        (select balance::int from ledger_accounts where id = ${client.cardId}) as balance`;
    return { keyed: Number(row?.["keyed"]), balance: Number(row?.["balance"]) };
  } finally {
    await owner.end();
  }
}
