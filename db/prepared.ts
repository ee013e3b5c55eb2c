import type { Sql, TransactionSql } from "postgres";

/** A text that has been sent this often is prepared from then on. */
const SENT_BEFORE_MIN = 2;
/** Texts that are remembered. A connection prepares fewer at a time (`STATEMENTS_MAX` in `bin/install.mjs`). */
const TEXTS_MAX = 400;

/** Rows or values written out one by one: such a text has as many forms as there are numbers of them. */
const COUNTED = /\), \(|\bin \(\$/u;

/** A search is planned for its very words: a plan for any word would read every row for a rare one. */
const SEARCH = /\bi?like\b/iu;

/** How often each text was sent, the one sent longest ago first: it makes room for a new one. */
const sent = new Map<string, number>();

/**
 * Has statements that come again prepared once a connection: one way there and back instead of two, and nothing parsed or
 * planned again. drizzle asks the driver not to (drizzle-team/drizzle-orm 6096), so what it asks is changed on the way.
 */
export function preparing(client: Sql): Sql {
  const begin = client.begin.bind(client);
  Object.assign(client, {
    begin: (work: (tx: TransactionSql) => Promise<unknown>) =>
      begin("", (tx) => endingSafely(preparingInside(tx), work)),
  });
  return preparingAlone(client);
}

/** Runs a transaction's work, after which nothing more is sent: the connection may be another transaction's by then. */
async function endingSafely<T>(
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

function preparingInside(tx: TransactionSql): TransactionSql {
  const savepoint = tx.savepoint.bind(tx);
  Object.assign(tx, {
    savepoint: (work: (inner: TransactionSql) => Promise<unknown>) =>
      savepoint("", (inner) => work(preparingInside(inner))),
  });
  return preparingAlone(tx);
}

function preparingAlone<Client extends Sql | TransactionSql>(client: Client): Client {
  const unsafe = client.unsafe.bind(client);
  client.unsafe = (text, parameters, options) =>
    unsafe(text, parameters, { ...options, prepare: isWorthPreparing(text) });
  return client;
}

function isWorthPreparing(text: string): boolean {
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
  return times >= SENT_BEFORE_MIN;
}
