import { setTimeout as sleep } from "node:timers/promises";
import { isAcknowledged, toAnswerText } from "./history.ts";
import type { Recorded, Repeat, Setback } from "./history.ts";
import { isRead } from "./operations.ts";
import type { RequestName } from "./operations.ts";

/** A request before it is sent. */
export interface Ask {
  operation: RequestName;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  body?: Readonly<Record<string, unknown>>;
  cardId?: string;
  target?: string;
  marker?: string;
  repeat?: Repeat;
  amount?: number;
  /** The only server to send it to. */
  at?: string;
}

/** Who sends it: the headers of the credential, the account, and where to. */
export interface Sender {
  integratorId: string;
  headers: Readonly<Record<string, string>>;
  /** Any server, another one for each attempt. */
  baseUrl(): string;
  newKey(): string;
  /** Whether to send a change once more after its answer, as a program does that lost it. */
  forgets(): boolean;
  /** The address that its proxy reports: limits by address are tested elsewhere. */
  address(): string;
}

const TIMEOUT_MS = 8_000;
const PAUSE_MS = 100;
/** Only ends a request that will never be answered, which the checker then reports. */
const GIVE_UP_MS = 60_000;
/** The refusals that are stored with a key. No request of a run fails validation. */
const KEPT_REFUSALS = new Set([409, 422]);

interface Answer {
  server: string;
  status: number;
  code: string | null;
  /**
   * False for a 5xx, an answer with `Retry-After`, and no answer at all: the request is then repeated with the same
   * key.
   */
  isFinal: boolean;
  data: Readonly<Record<string, unknown>>;
}

/** Sends a request, and repeats it with its key until the answer is final. */
export async function send(sender: Sender, ask: Ask): Promise<Recorded> {
  const key = sender.newKey();
  const startedAt = performance.now();
  const setbacks: Setback[] = [];
  let answer = await attempt(sender, ask, key);
  while (!answer.isFinal && performance.now() - startedAt < GIVE_UP_MS) {
    setbacks.push({ status: answer.status, code: answer.code, at: performance.now() });
    await sleep(PAUSE_MS);
    answer = await attempt(sender, ask, key);
  }
  const endedAt = performance.now();
  const { isFinal, status, ...answered } = answer;
  const recorded: Recorded = {
    ...answered,
    status: isFinal ? status : 0,
    ...toKnown(ask),
    repeated: isFinal && isKept(answer) ? await repeat(sender, ask, key) : null,
    integratorId: sender.integratorId,
    key,
    startedAt,
    endedAt,
    setbacks,
  };
  return { ...recorded, target: recorded.target ?? findMade(recorded) };
}

/** What is known of a request before it is sent. */
function toKnown({ operation, ...ask }: Ask) {
  return {
    operation,
    cardId: ask.cardId ?? null,
    target: ask.target ?? null,
    marker: ask.marker ?? null,
    repeat: ask.repeat ?? "answered",
    amount: ask.amount ?? null,
  };
}

/** The id of what an acknowledged request has made. */
function findMade(recorded: Recorded): string | null {
  const { id } = recorded.data;
  return isAcknowledged(recorded) && typeof id === "string" ? id : null;
}

/**
 * The answer to the repeat of a change whose first answer the program lost; null if it lost none, or must ask once
 * more.
 */
async function repeat(sender: Sender, ask: Ask, key: string): Promise<string | null> {
  const isAnswered = (ask.repeat ?? "answered") === "answered" && !isRead(ask.operation);
  if (!isAnswered || !sender.forgets()) {
    return null;
  }
  const answer = await attempt(sender, ask, key);
  return answer.isFinal ? toAnswerText(answer) : null;
}

/** Whether a repeat gets the same answer. Other refusals, such as an ended session's, are decided anew. */
function isKept({ status }: Answer): boolean {
  return status < 300 || KEPT_REFUSALS.has(status);
}

async function attempt(sender: Sender, ask: Ask, key: string): Promise<Answer> {
  const server = ask.at ?? sender.baseUrl();
  try {
    const response = await fetch(`${server}${ask.path}`, {
      method: ask.method,
      headers: {
        ...sender.headers,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        "X-Forwarded-For": sender.address(),
      },
      ...(ask.method === "GET" ? {} : { body: toBody(ask, key) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const answer = isJson(response) && text !== "" ? JSON.parse(text) : {};
    return {
      server,
      status: response.status,
      code: answer.code ?? null,
      isFinal: response.status < 500 && !response.headers.has("retry-after"),
      data: isResource(answer.data) ? { ...answer, ...answer.data } : answer,
    };
  } catch {
    return { server, status: 0, code: null, isFinal: false, data: {} };
  }
}

/** The card network's requests have their key in the body. */
function toBody({ path, body = {} }: Ask, key: string): string {
  return JSON.stringify(path.startsWith("/processor/") ? { ...body, reference: key } : body);
}

function isJson({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").includes("json");
}

function isResource(data: unknown): data is Record<string, unknown> {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
