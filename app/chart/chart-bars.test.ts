import { expect, test } from "vitest";
import { toBars, toBarSpan } from "./chart-bars.ts";
import { addDays } from "#lib/base/time-zone.ts";

const toDays = (length: number) =>
  Array.from({ length }, (_, at) => ({
    day: addDays("2026-01-01", at),
    inflow: at,
    outflow: 1,
    inflowFromCards: 0,
    spent: 2 * at,
    refunded: 3,
    closing: 0,
  }));

test.each([1, 7, 30, 45, 46, 48, 49, 50, 90])(
  "the bars of %i days cover each day once, in order, and have its sums",
  (length) => {
    const days = toDays(length);
    const bars = toBars(days);
    expect(bars.length).toBe(length > 45 ? Math.ceil(length / 7) : length);
    expect(bars.every(({ day }, at) => at === 0 || day > (bars[at - 1]?.day ?? ""))).toBe(true);
    for (const sum of ["inflow", "outflow", "spent", "refunded"] as const) {
      const [shown, real] = [bars, days].map((rows) =>
        rows.reduce((total, row) => total + row[sum], 0),
      );
      expect(shown).toBe(real);
    }
    expect(toBarSpan(days)).toBe(length > 45 ? "week" : "day");
  },
);

test("the last week ends today", () => {
  expect(toBars(toDays(50)).at(-1)).toMatchObject({ name: "Feb 13 – Feb 19", outflow: 7 });
  expect(toBars(toDays(50))[0]).toMatchObject({ name: "Jan 1", outflow: 1 });
});
