import { expect, test } from "vitest";
import { ClockOffset } from "#lib/api/edge/internal/clock-offset.ts";

/** The database's clock is ahead of this process's by this much. */
const TRUE_MS = 1_700_000_000_000;

/** A reading that the database made `waited` milliseconds after it was asked, and that took `took` in all. */
function read(clock: ClockOffset, at: number, { waited, took }: { waited: number; took: number }) {
  return clock.learn(TRUE_MS + at + waited, { before: at, after: at + took }) - TRUE_MS;
}

test("a slow answer after a fast one does not move it", () => {
  const clock = new ClockOffset();
  expect(read(clock, 0, { waited: 1, took: 2 })).toBeCloseTo(0.5, 0);
  expect(Math.abs(read(clock, 500, { waited: 5, took: 300 }))).toBeLessThan(2);
  expect(Math.abs(read(clock, 1_000, { waited: 290, took: 300 }))).toBeLessThan(2);
});

test("slow answers narrow it together", () => {
  const clock = new ClockOffset();
  expect(Math.abs(read(clock, 0, { waited: 0, took: 200 }))).toBeGreaterThan(50);
  expect(Math.abs(read(clock, 500, { waited: 200, took: 200 }))).toBeLessThan(2);
});

test("a database whose clock was set is followed at once", () => {
  const clock = new ClockOffset();
  read(clock, 0, { waited: 1, took: 2 });
  const [back, ahead] = [-5_000, 60_000];
  expect(clock.learn(TRUE_MS + 100 + back, { before: 99, after: 101 }) - TRUE_MS).toBeCloseTo(
    back,
    -1,
  );
  expect(clock.learn(TRUE_MS + 200 + ahead, { before: 199, after: 201 }) - TRUE_MS).toBeCloseTo(
    ahead,
    -1,
  );
});

test("what was learned is trusted less as time passes, because clocks drift apart", () => {
  const clock = new ClockOffset();
  read(clock, 0, { waited: 1, took: 2 });
  const hour = 3_600_000;
  const drifted = 100;
  const offset = clock.learn(TRUE_MS + hour + drifted, { before: hour - 150, after: hour + 150 });
  expect(Math.abs(offset - TRUE_MS - drifted)).toBeLessThan(10);
});
