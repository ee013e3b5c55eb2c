import { setTimeout as sleep } from "node:timers/promises";
import { toAnswerText } from "./history.ts";
import type { Recorded } from "./history.ts";

/** A request before it is sent. */
export interface Ask {
  operation: string;
  method: "GET" | "POST" | "PATCH";
  path: string;
  body?: Readonly<Record<string, unknown>>;
  cardId?: string;
  amount?: number;
}

/** Who sends it: the credential, the account, and where to. */
export interface Sender {
  integratorId: string;
  credential: string;
  /** Any server, another one for each attempt. */
  baseUrl(): string;
  newKey(): string;
  /** Whether to send a change once more after its answer, as a program does that lost it. */
  forgets(): boolean;
}

const TIMEOUT_MS = 8_000;
const PAUSE_MS = 100;
/** Only ends a request that will never be answered, which the checker then reports. */
const GIVE_UP_MS = 60_000;
/** After these answers nobody knows, or may know, whether the change was made. They are repeated with the same key. */
const UNDECIDED = new Set([0, 408, 429, 503]);
const UNDECIDED_CODES = new Set(["idempotency_in_progress", "clock_advancing"]);

interface Answer {
  status: number;
  code: string | null;
  data: Readonly<Record<string, unknown>>;
}

/** Sends a request, and repeats it with its key until the answer is final. */
export async function send(sender: Sender, ask: Ask): Promise<Recorded> {
  const key = sender.newKey();
  const startedAt = performance.now();
  let attempts = 1;
  let answer = await attempt(sender, ask, key);
  while (!isDecided(answer) && performance.now() - startedAt < GIVE_UP_MS) {
    await sleep(PAUSE_MS);
    attempts += 1;
    answer = await attempt(sender, ask, key);
  }
  const endedAt = performance.now();
  return {
    ...(isDecided(answer) ? answer : { ...answer, status: 0 }),
    repeated: isDecided(answer) ? await repeat(sender, ask, key) : null,
    operation: ask.operation,
    integratorId: sender.integratorId,
    cardId: ask.cardId ?? null,
    key,
    amount: ask.amount ?? null,
    startedAt,
    endedAt,
    attempts,
  };
}

/** What a program is answered that forgot the answer to its change; null when it did not, or must ask once more. */
async function repeat(sender: Sender, ask: Ask, key: string): Promise<string | null> {
  if (ask.method === "GET" || !sender.forgets()) {
    return null;
  }
  const answer = await attempt(sender, ask, key);
  return isDecided(answer) ? toAnswerText(answer) : null;
}

function isDecided({ status, code }: Answer): boolean {
  return !UNDECIDED.has(status) && !UNDECIDED_CODES.has(code ?? "");
}

async function attempt(sender: Sender, ask: Ask, key: string): Promise<Answer> {
  // The card network's requests have their key in the body.
  const body = ask.path.startsWith("/processor/") ? { ...ask.body, reference: key } : ask.body;
  try {
    const response = await fetch(`${sender.baseUrl()}${ask.path}`, {
      method: ask.method,
      headers: {
        Authorization: `Bearer ${sender.credential}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      ...(ask.method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const answer = text === "" ? {} : JSON.parse(text);
    return {
      status: response.status,
      code: answer.code ?? null,
      data: answer.data ?? answer,
    };
  } catch {
    return { status: 0, code: null, data: {} };
  }
}
