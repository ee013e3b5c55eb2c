import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import { measureWrittenBytes } from "#test/database/written-bytes.ts";
import { createFixture } from "./fixture.ts";
import { converseTimes } from "./http-load.ts";
import type { Figures } from "./report.ts";
import { toCreditOnce } from "./requests.ts";
import { serveProduct, setStage } from "./stage.ts";

const CLIENTS = 64;
const CREDITS_PER_CLIENT = 500;
const CREDITS = CLIENTS * CREDITS_PER_CLIENT;
const CARDS = 1_000;

/** The API log is written this long after a request, at most. */
const LOGGED_MS = 3_000;

/** The bytes and the WAL of a keyed credit without text, on a database of its own, from a checkpoint on. */
export async function measureCreditBytes(): Promise<Pick<Figures, "creditBytes">> {
  const stage = await setStage();
  const sql = connect(stage.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const product = await serveProduct(stage, "a");
    const fixture = await createFixture(stage, { cards: CARDS, transactionsPerCard: 1 });
    const credit = (times: number) =>
      Promise.all(
        Array.from({ length: CLIENTS }, () =>
          converseTimes(product, times, () => toCreditOnce(fixture)),
        ),
      );
    await credit(CREDITS_PER_CLIENT);
    await sleep(LOGGED_MS);
    await vacuumAnalyze(stage.database);
    const { lasting, all, wal } = await measureWrittenBytes(sql, async () => {
      const [{ at } = { at: "" }] = await sql<{ at: string }[]>`
        select pg_current_wal_insert_lsn()::text as at`;
      await credit(CREDITS_PER_CLIENT);
      await sleep(LOGGED_MS);
      const [{ bytes } = { bytes: Number.NaN }] = await sql<{ bytes: number }[]>`
        select (pg_current_wal_insert_lsn() - ${at}::pg_lsn)::float8 as bytes`;
      return { wal: bytes };
    });
    await product.stop();
    return {
      creditBytes: { lasting: lasting / CREDITS, all: all / CREDITS, wal: wal / CREDITS },
    };
  } finally {
    await sql.end();
    await stage.destroy();
  }
}
