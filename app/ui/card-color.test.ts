import { assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { toCardColors, toContrast } from "./card-color.ts";

test("contrast is measured as WCAG defines it", () => {
  expect(toContrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(toContrast("#777777", "#ffffff")).toBeCloseTo(4.478, 2);
});

test("text on a card of any color has a contrast of 4.5 at both ends", () => {
  assert(
    property(integer({ min: 0, max: 0xff_ff_ff }), (number) => {
      const { from, to, text } = toCardColors(`#${number.toString(16).padStart(6, "0")}`);
      expect(toContrast(from, text)).toBeGreaterThanOrEqual(4.5);
      expect(toContrast(to, text)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 2_000 },
  );
});
