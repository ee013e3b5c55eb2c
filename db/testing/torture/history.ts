/** What one request asked for and was answered, with all its repeats under one key. Amounts in minor units. */
export interface Recorded {
  operation: string;
  integratorId: string;
  cardId: string | null;
  /** The idempotency key, or the processor's reference. */
  key: string;
  amount: number | null;
  /** When its first attempt was sent. */
  startedAt: number;
  /** When its final answer arrived. */
  endedAt: number;
  attempts: number;
  /** Of the final answer; 0 when there never was one. */
  status: number;
  code: string | null;
  /** What a repeat with the same key was answered after that, as text; null when there was none, or no final answer. */
  repeated: string | null;
  /** The answer's `data`, or the answer itself when it has none. */
  data: Readonly<Record<string, unknown>>;
}

/** Everything that a run knows, from outside of the product: requests with their answers, and what arrived. */
export interface History {
  requests: Recorded[];
  /** The ids of the notifications that each integrator's receiver got. */
  delivered: Set<string>;
  /** Moments at which money was missing or too much, as a bank's reader saw them. */
  wrongTotals: string[];
  integratorIds: string[];
}

/** An answer as text, to compare a repeat's with the first. */
export function toAnswerText({ status, data }: Pick<Recorded, "status" | "data">): string {
  return JSON.stringify([status, data]);
}

export function isAcknowledged({ status }: Recorded): boolean {
  return status >= 200 && status < 300;
}

/** A request without what no rule reads, so that hours of them fit into memory. */
export function toKept(recorded: Recorded): Recorded {
  const { id, status, decision } = recorded.data;
  return recorded.repeated === null ? { ...recorded, data: { id, status, decision } } : recorded;
}
