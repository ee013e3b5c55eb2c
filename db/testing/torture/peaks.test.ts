import { expect, test } from "vitest";
import { Random } from "../faults/fuzz-random.ts";
import { Peaks } from "./peaks.ts";

test("the greatest value before a moment is what reading all items finds", () => {
  const random = new Random(7);
  const items = Array.from({ length: 200 }, () => ({
    at: random.below(100),
    value: random.below(50),
  }));
  const peaks = new Peaks(
    items,
    ({ at }) => at,
    ({ value }) => value,
  );
  for (let moment = -1; moment <= 101; moment += 1) {
    const before = items.filter(({ at }) => at < moment);
    const expected =
      before.length === 0 ? undefined : Math.max(...before.map(({ value }) => value));
    expect(peaks.before(moment)?.value).toBe(expected);
  }
});
