/** An answer after which a program repeats its request; status 0 when there was none. */
export interface Setback {
  status: number;
  code: string | null;
  /** When it came, on the clock of `performance`. */
  at: number;
}

/** What one request asked for and was answered, with all its repeats under one key. Amounts in minor units. */
export interface Recorded {
  operation: string;
  integratorId: string;
  cardId: string | null;
  /** The id of what it is about, if that is no card: the one that it names, or the new one that it was answered with. */
  target: string | null;
  /** A text that no other request has, and that it wrote. */
  marker: string | null;
  /** What becomes of a repeat after an answer that was lost. */
  repeat: Repeat;
  /** The idempotency key, or the processor's reference. */
  key: string;
  amount: number | null;
  /** The server that gave the final answer. */
  server: string;
  /** When its first attempt was sent. */
  startedAt: number;
  /** When its final answer arrived. */
  endedAt: number;
  /** The answers before the final one. */
  setbacks: readonly Setback[];
  /** Of the final answer; 0 when there never was one. */
  status: number;
  code: string | null;
  /** What a repeat with the same key was answered after that, as text; null when there was none, or no final answer. */
  repeated: string | null;
  /** The answer, with the members of its `data` if that is a resource. */
  data: Readonly<Record<string, unknown>>;
}

/**
 * What becomes of a repeat: it gets the first answer; or it is performed again, because the answer has a secret and is not
 * kept; or it is refused, because what it needed is used up.
 */
export type Repeat = "answered" | "performed" | "refused";

/** Everything that a run knows, from outside of the product: requests with their answers, and what arrived. */
export interface History {
  requests: Recorded[];
  /** The ids of the notifications that each integrator's receiver got. */
  delivered: Set<string>;
  /** Moments at which money was missing or too much, as a bank's reader saw them. */
  wrongTotals: string[];
  /** Reads after an acknowledged change that did not show it. */
  staleReads: string[];
  /** Programs that could not go on with what they had been acknowledged. */
  interrupted: string[];
  /** Notifications that no secret of their integrator has signed. */
  badSignatures: string[];
  integratorIds: string[];
}

export function newHistory(delivered = new Set<string>()): History {
  return {
    requests: [],
    delivered,
    wrongTotals: [],
    staleReads: [],
    interrupted: [],
    badSignatures: [],
    integratorIds: [],
  };
}

/** An answer as text, to compare a repeat's with the first. */
export function toAnswerText({ status, data }: Pick<Recorded, "status" | "data">): string {
  return JSON.stringify([status, data]);
}

export function isAcknowledged({ status }: Recorded): boolean {
  return status >= 200 && status < 300;
}

/** Requests to spend: each is answered with a transaction of its own, or its id. */
export const SPENDS: ReadonlySet<string> = new Set([
  "deduct",
  "authorize",
  "verification",
  "network_authorize",
]);

/** Everything that the network asks, and a card's rules may decline. */
export const QUESTIONS: ReadonlySet<string> = new Set([
  ...SPENDS,
  "increment",
  "network_increment",
]);

export function isDeclined({ data }: Recorded): boolean {
  return data["status"] === "declined" || data["decision"] === "declined";
}

export function describe({ operation, key, cardId }: Recorded): string {
  return `${operation} ${key}${cardId ? ` on card ${cardId}` : ""}`;
}

/** A request without what no rule reads, so that hours of them fit into memory. */
export function toKept(recorded: Recorded): Recorded {
  const { id, status, decision, balance } = recorded.data;
  return recorded.repeated === null
    ? { ...recorded, data: { id, status, decision, balance } }
    : recorded;
}

/** An acknowledged request that took no time and names nothing, except for what is given. */
export function newRecorded(given: Partial<Recorded>): Recorded {
  return {
    operation: "credit",
    integratorId: "integrator",
    cardId: null,
    target: null,
    marker: null,
    repeat: "answered",
    key: "key",
    amount: null,
    server: "one",
    startedAt: 0,
    endedAt: 0,
    setbacks: [],
    status: 200,
    code: null,
    repeated: null,
    data: {},
    ...given,
  };
}
