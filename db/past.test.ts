import postgres from "postgres";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "./client.ts";
import type { Db } from "./client.ts";
import { inPast, PastRefused } from "./past.ts";
import { pastClockOf } from "./past-clock.ts";
import { testDatabase, withDatabase } from "#test/database/database.ts";
import { inSavepoint, inTransaction, markCommit } from "./transaction.ts";
import type { Tx } from "./transaction.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { readEnv } from "#lib/base/env.ts";
import { readMoment } from "#lib/base/moment.ts";
import {
  findInstallation,
  keepPublicUrl,
  requireSameInstallation,
} from "#lib/operator/installation.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** "done" if the work was done in the past, or the sentence of the refusal, after which nothing may have been done. */
async function attempt(db: Db): Promise<string> {
  const work = vi.fn<(tx: Tx) => Promise<string>>(async (tx) => {
    markCommit(tx, sql`true`);
    return "done";
  });
  const outcome = await inPast(db, DAY_MS, work).catch((error: PastRefused) => error);
  expect(work).toHaveBeenCalledTimes(outcome === "done" ? 1 : 0);
  return outcome instanceof PastRefused ? outcome.message : outcome;
}

async function onUnused(work: (db: Db, ownerUrl: string) => Promise<void>): Promise<void> {
  await withDatabase("migrated", async ({ url, ownerUrl }) => {
    const opened = openDatabase(url, { max: 4 });
    await requireSameInstallation(opened.db, readEnv({}));
    try {
      await work(opened.db, ownerUrl);
    } finally {
      await opened.close();
    }
  });
}

describe("records of the past are refused", () => {
  test("nowhere but here: a sandbox that nobody has used accepts them", async () => {
    await onUnused(async (db) => {
      expect(await attempt(db)).toBe("done");
    });
  });

  test("in an installation that has an integrator of its own", async () => {
    await requireSameInstallation(testDatabase().db, readEnv({}));
    await newIntegrator(1_000);
    expect(await attempt(testDatabase().db)).toBe(
      "This database has an integrator, so it can receive no past.",
    );
  });

  test("in one that has been served, even if it is empty", async () => {
    await onUnused(async (db) => {
      await keepPublicUrl(db, readEnv({}));
      expect(await attempt(db)).toBe(
        "A server has served this database, so it can receive no past.",
      );
    });
  });

  test("in a live one, and in one that is not set up", async () => {
    const sentence = "Only the database of a sandbox can receive a past.";
    await withDatabase("migrated", async ({ url }) => {
      const opened = openDatabase(url, { max: 4 });
      expect(await attempt(opened.db)).toBe(sentence);
      const live = readEnv({
        ...process.env,
        FLOATDECK_ENV: "live",
        DATABASE_URL: url,
        TIME_LIMIT_FACTOR: "",
      });
      await requireSameInstallation(opened.db, live);
      expect(await attempt(opened.db)).toBe(sentence);
      await opened.close();
    });
  });

  test("while one is being recorded, nobody registers and no server begins to serve", async () => {
    await onUnused(async (db, ownerUrl) => {
      const other = postgres(ownerUrl, { max: 1, connection: { lock_timeout: 50 } });
      const server = openDatabase(ownerUrl, { max: 1, settings: { lock_timeout: 50 } });
      await inPast(db, DAY_MS, async (tx) => {
        markCommit(tx, sql`true`);
        await expect(keepPublicUrl(server.db, readEnv({}))).rejects.toThrow(/Failed query/u);
        await expect(other`insert into integrators default values`).rejects.toThrow(/lock/u);
      });
      expect((await findInstallation(db))?.publicUrl).toBeNull();
      await other.end();
      await server.close();
    });
  });
});

describe("a clock of the past", () => {
  beforeEach(() => expect.hasAssertions());

  test("begins when it was asked to, moves forward only, and gives every record a later time and id", async () => {
    await onUnused(async (db) => {
      await inPast(db, DAY_MS, async (tx, clock) => {
        markCommit(tx, sql`true`);
        const first = await readMoment(tx);
        const age = clock.end.getTime() - first.at.getTime();
        expect(Math.round(age / 1_000)).toBe(DAY_MS / 1_000);
        clock.moveTo(new Date(first.at.getTime() + 3_600_000));
        const second = await readMoment(tx);
        clock.moveTo(first.at);
        const third = await inSavepoint(tx, readMoment);
        expect(second.at.getTime()).toBe(first.at.getTime() + 3_600_001);
        expect(third.at.getTime()).toBe(second.at.getTime() + 1);
        const ids = [first.newId(), first.newId(), second.newId(), third.newId()];
        expect(ids).toEqual(ids.toSorted());
      });
    });
  });

  test("never reaches the present", async () => {
    await onUnused(async (db) => {
      const reading = inPast(db, DAY_MS, async (tx, clock) => {
        markCommit(tx, sql`true`);
        clock.moveTo(clock.end);
        await readMoment(tx);
      });
      await expect(reading).rejects.toThrow("A past clock has reached the present.");
    });
  });

  test("applies to its own transaction alone, and to none that follows on the connection", async () => {
    await onUnused(async (db) => {
      await inPast(db, DAY_MS, async (tx) => {
        markCommit(tx, sql`true`);
        await inTransaction(db, async (other) => {
          expect(pastClockOf(other)).toBeUndefined();
          expect(Date.now() - (await readMoment(other)).at.getTime()).toBeLessThan(60_000);
        });
      });
      const { at } = await inTransaction(db, readMoment);
      expect(Date.now() - at.getTime()).toBeLessThan(60_000);
    });
  });
});
