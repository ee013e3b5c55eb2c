import { expect, test } from "vitest";
import { firstIdAt, isId, newId } from "./ids.ts";

test("ids are version 7 of this moment, in the order they were made, and no randomness is used twice", () => {
  const before = Date.now();
  const ids = Array.from({ length: 5_000 }, () => newId());
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(isId(id)).toBe(true);
  }
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids.map((id) => id.slice(-16))).size).toBe(ids.length);
  const [first = "", last = ""] = [ids[0], ids.at(-1)];
  expect(firstIdAt(before) <= first && last < firstIdAt(Date.now() + 1_000)).toBe(true);
});
