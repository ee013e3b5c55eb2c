import {
  array,
  assert,
  constantFrom,
  integer,
  pre,
  property,
  record,
  uniqueArray,
} from "fast-check";
import { expect, test } from "vitest";
import { compareMigrations } from "./migration-record.ts";
import type { KnownMigration } from "./migration-record.ts";

/** What every version knows of its migrations, oldest first: each names the oldest server that it tolerates. */
const history = uniqueArray(integer({ min: 1, max: 1_000 }), { minLength: 2, maxLength: 8 })
  .map((whens) => whens.toSorted((one, other) => one - other))
  .chain((whens) =>
    array(integer({ min: 0, max: 7 }), { minLength: whens.length, maxLength: whens.length }).map(
      (back) =>
        whens.map((when, index): KnownMigration => ({
          when,
          hash: `hash of ${when}`,
          statements: [],
          needs: whens[Math.max(0, index - (back[index] ?? 0))] ?? when,
        })),
    ),
  );

/** A database that one version has set up, and a version that then starts. */
const start = history.chain((migrations) =>
  record({
    migrations: constantFrom(migrations),
    applied: integer({ min: 0, max: migrations.length }),
    known: integer({ min: 1, max: migrations.length }),
  }),
);

test("a version applies what is missing, runs on what tolerates it, and refuses the rest", () => {
  assert(
    property(start, ({ migrations, applied, known }) => {
      const state = compareMigrations(migrations.slice(0, applied), migrations.slice(0, known));
      const newestKnown = migrations[known - 1]?.when ?? 0;
      const isTolerated = migrations
        .slice(known, applied)
        .every(({ needs }) => needs <= newestKnown);
      expect(state.pending).toEqual(migrations.slice(applied, known));
      expect(state.isAhead).toBe(applied > known);
      expect(state.refusal === null).toBe(isTolerated);
    }),
  );
});

test("a database with one migration edited, or with a hole, is refused whichever version starts", () => {
  const damaged = start
    .filter(({ applied }) => applied > 0)
    .chain((given) =>
      record({
        given: constantFrom(given),
        at: integer({ min: 0, max: Math.min(given.applied, given.known) - 1 }),
        damage: constantFrom("edited" as const, "removed" as const),
      }),
    );
  assert(
    property(damaged, ({ given: { migrations, applied, known }, at, damage }) => {
      // Without its last row, a database is only behind.
      pre(damage === "edited" || at < applied - 1);
      const rows = migrations.slice(0, applied);
      const edited = rows.map((row, index) => (index === at ? { ...row, hash: "another" } : row));
      const after = damage === "edited" ? edited : rows.toSpliced(at, 1);
      expect(compareMigrations(after, migrations.slice(0, known)).refusal).not.toBeNull();
    }),
  );
});
