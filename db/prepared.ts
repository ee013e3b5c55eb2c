import type { Sql, TransactionSql } from "postgres";

/** A text that has been sent this often is prepared from then on. */
const SENT_BEFORE_MIN = 2;
/** Every connection keeps each of them for its life. */
const TEXTS_MAX = 400;

/** Rows or values written out one by one: such a text has as many forms as there are numbers of them. */
const COUNTED = /\), \(|\bin \(\$/u;

/** A search is planned for its very words: a plan for any word would read every row for a rare one. */
const SEARCH = /\bi?like\b/iu;

/** How often each text was sent. Once it is full, new texts are sent as they always were. */
const sent = new Map<string, number>();

/**
 * Has statements that come again prepared once a connection: one way there and back instead of two, and nothing parsed or
 * planned again. drizzle asks the driver not to (drizzle-team/drizzle-orm 6096), so what it asks is changed on the way.
 */
export function preparing(client: Sql): Sql {
  const begin = client.begin.bind(client);
  Object.assign(client, {
    begin: (work: (tx: TransactionSql) => Promise<unknown>) =>
      begin("", (tx) => work(preparingInside(tx))),
  });
  return preparingAlone(client);
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
  const times = sent.get(text);
  if (times === undefined) {
    if (sent.size < TEXTS_MAX && !COUNTED.test(text) && !SEARCH.test(text)) {
      sent.set(text, 1);
    }
    return false;
  }
  if (times < SENT_BEFORE_MIN) {
    sent.set(text, times + 1);
    return false;
  }
  return true;
}
