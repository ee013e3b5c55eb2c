import type { Answer } from "#lib/api/wire/answer.ts";
import type { DomainError } from "#lib/base/errors.ts";
import type { Tx } from "#db/transaction.ts";

/** Identifies a request that may be sent again. */
export interface ReplayKey {
  /** The space in which the name is unique: the id of an integrator, or the card processor's references. */
  scope: string;
  /** An integrator's idempotency key as it is stored, or a reference of the card processor. */
  name: string;
  /** A hash of method, path, and the body's value. The same name with a different hash is the caller's mistake. */
  fingerprint: string;
  /** The hashes that earlier versions stored for the same request, which compared bodies more strictly. */
  toEarlierFingerprints(): readonly string[];
  /** The caller, when the response holds a secret: concurrent repeats of other callers do not share it. */
  recipientId?: string | undefined;
}

/**
 * What the store knows about a name. `expired`: the request moved money, and its response is no longer stored.
 * `erased`: the response held values of a cardholder who was erased. `withheld`: the response holds a secret that was
 * shown to another caller.
 */
export type Remembered =
  | { state: "busy" }
  | { state: "free" }
  | { state: "expired" }
  | { state: "erased" }
  | { state: "withheld" }
  | { state: "answered"; fingerprint: string; answer: Answer };

/** A record that a request affected, as stored with its answer. */
export interface AffectedRecord {
  integratorId: string | null;
  transactionId: string | null;
  /** What the request changes about an authorization that has not arrived yet. */
  left?: { releases: number; endsHold: boolean };
}

/** An answer about to be saved. */
export interface SavedAnswer<Key extends ReplayKey> {
  key: Key;
  answer: Answer;
  affected: AffectedRecord;
  requestId: string;
}

/** Stores the first response of each request. There are two stores: idempotency keys and card processor references. */
export interface ReplayStore<Key extends ReplayKey> {
  /**
   * Claims names for this transaction without waiting, and looks up the answers saved under them. A
   * claim ends with its transaction. All keys must have the same scope.
   */
  claim(tx: Tx, keys: readonly Key[]): Promise<ReadonlyMap<string, Remembered>>;
  /**
   * Saves answers in the transaction of their effects, in one statement for any number of answers.
   */
  save(tx: Tx, answers: readonly SavedAnswer<Key>[]): Promise<void>;
  /** The refusal for a name that belongs to a different request. */
  reused(): DomainError;
}
