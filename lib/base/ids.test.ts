import { expect, test } from "vitest";
import { firstIdAt, isId, newId, toMoment } from "./ids.ts";

const SEVEN = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

test("ids of a moment are version 7 of it, in the order they were made, beyond what its counter holds too", () => {
  const micros = 1_795_000_000_123_999;
  const moment = toMoment(micros);
  const ids = Array.from({ length: 20_000 }, () => moment.newId());
  for (const id of ids) {
    expect(id).toMatch(SEVEN);
    expect(isId(id)).toBe(true);
  }
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
  const [first = "", last = ""] = [ids[0], ids.at(-1)];
  expect(moment.at.getTime()).toBe(1_795_000_000_123);
  expect(firstIdAt(moment.at.getTime()) <= first && first < firstIdAt(1_795_000_000_124)).toBe(
    true,
  );
  expect(last < firstIdAt(1_795_000_000_125)).toBe(true);
});

test("of two moments a microsecond apart the later one's ids are greater, whichever were made first", () => {
  for (const micros of [1_795_000_000_123_000, 1_795_000_000_123_456, 1_795_000_000_123_998]) {
    const [earlier, later] = [toMoment(micros), toMoment(micros + 1)];
    const young = Array.from({ length: 1_000 }, () => later.newId());
    const old = Array.from({ length: 1_000 }, () => earlier.newId());
    expect([...old, ...young]).toEqual([...old, ...young].toSorted());
  }
});

test("an id without a moment is random, version 4, and no randomness is used twice", () => {
  const ids = Array.from({ length: 5_000 }, () => newId());
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  }
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
});
