import type { Answer } from "#lib/api/wire/answer.ts";
import type { DomainError } from "#lib/base/errors.ts";
import type { Tx } from "#db/transaction.ts";

/** What identifies a request that may be sent again. */
export interface ReplayKey {
  /** Unique within its scope: an idempotency key of one integrator, or a reference of the card processor. */
  name: string;
  /** Method, path, and body in one hash: the same name with another hash is a mistake of the caller. */
  fingerprint: string;
}

/** What is remembered of a name. `expired`: it has moved money, and its answer is no longer kept. */
export type Remembered =
  | { state: "busy" }
  | { state: "free" }
  | { state: "expired" }
  | { state: "answered"; fingerprint: string; answer: Answer };

/** The records that a request concerned, as they are kept with its answer. */
export interface AffectedRecord {
  integratorId: string | null;
  transactionId: string | null;
}

/** An answer on its way into a store. */
export interface SavedAnswer<Key extends ReplayKey> {
  key: Key;
  answer: Answer;
  affected: AffectedRecord;
  requestId: string;
}

/** Where first answers are kept. There are two: idempotency keys, and the references of the card processor. */
export interface ReplayStore<Key extends ReplayKey> {
  /** Distinguishes equal names of different scopes within this process. */
  scopeOf(key: Key): string;
  /**
   * Claims names for this transaction without waiting for any, and looks up what was answered under them. A claim ends
   * with the transaction. All keys have one scope.
   */
  claim(tx: Tx, keys: readonly Key[]): Promise<ReadonlyMap<string, Remembered>>;
  /** Saves answers in the transaction of their effects, in one statement whatever their number. */
  save(tx: Tx, answers: readonly SavedAnswer<Key>[]): Promise<void>;
  /** The refusal of a name that belongs to another request. */
  reused(): DomainError;
}
