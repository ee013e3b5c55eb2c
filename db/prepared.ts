import type { Sql, TransactionSql } from "postgres";
import { watched } from "./statements.ts";

/** A statement sent this often is prepared from then on. */
export const SENT_BEFORE_MIN = 2;

/** How a client's statements are sent. */
interface Sending {
  /** How each transaction begins, in the words of SQL after BEGIN. */
  transaction: string;
  /** A statement sent this often is prepared from then on; at most `SENT_BEFORE_MIN`. */
  sentBefore: number;
}
/**
 * How many statement texts are remembered. A connection prepares fewer at a time ("statement limit" in the patch of
 * postgres.js).
 */
const TEXTS_MAX = 400;

/** Rows or values listed one by one: the text of such a statement differs for each length of the list. */
const COUNTED = /\), \(|\bin \(\$/u;

/** A search is planned for its actual words: a generic plan would read every row for a rare one. */
const SEARCH = /\bi?like\b|@>/iu;

const UNPREPARED = { prepare: false };
/** By default, the driver sends a statement without parameters as a text, which is parsed and planned each time. */
const PREPARED = { prepare: true, simple: false };

/** How often each text was sent, least recently sent first; that one is evicted for a new one. */
const sent = new Map<string, number>();

/**
 * Prepares repeated statements once per connection: one round trip instead of two, without parsing or planning again.
 * drizzle disables this in the driver (drizzle-team/drizzle-orm 6096), so this wrapper overrides drizzle's options.
 */
export function preparing(client: Sql, { transaction, sentBefore }: Sending): Sql {
  const begin = client.begin.bind(client);
  Object.assign(client, {
    begin: (work: (tx: TransactionSql) => Promise<unknown>) =>
      begin(transaction, (tx) => blockingLateStatements(preparingInside(tx, sentBefore), work)),
  });
  return preparingAlone(client, sentBefore);
}

/**
 * Runs a transaction's work and blocks later statements: the connection may belong to another transaction by
 * then.
 */
async function blockingLateStatements<T>(
  tx: TransactionSql,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  try {
    return await work(tx);
  } finally {
    tx.unsafe = refuseEnded;
  }
}

function refuseEnded(): never {
  throw new Error("A statement was sent after its transaction had ended.");
}

function preparingInside(tx: TransactionSql, sentBefore: number): TransactionSql {
  const savepoint = tx.savepoint.bind(tx);
  Object.assign(tx, {
    savepoint: (work: (inner: TransactionSql) => Promise<unknown>) =>
      savepoint("", (inner) => work(preparingInside(inner, sentBefore))),
  });
  return preparingAlone(tx, sentBefore);
}

function preparingAlone<Client extends Sql | TransactionSql>(
  client: Client,
  sentBefore: number,
): Client {
  const unsafe = client.unsafe.bind(client);
  client.unsafe = (text, parameters, options) => {
    const protocol = shouldPrepare(text, sentBefore) ? PREPARED : UNPREPARED;
    return watched(text, unsafe(text, parameters, { ...options, ...protocol }));
  };
  return client;
}

function shouldPrepare(text: string, sentBefore: number): boolean {
  const times = sent.get(text) ?? 0;
  if (times === 0 && (COUNTED.test(text) || SEARCH.test(text))) {
    return false;
  }
  sent.delete(text);
  sent.set(text, Math.min(times + 1, SENT_BEFORE_MIN));
  const [oldest] = sent.keys();
  if (sent.size > TEXTS_MAX && oldest !== undefined) {
    sent.delete(oldest);
  }
  return times >= sentBefore;
}
