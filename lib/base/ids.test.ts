import { expect, test } from "vitest";
import { firstIdAt, isId, newId, toMoment } from "./ids.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

test("ids of one moment are UUIDv7s in creation order, even after the counter overflows", () => {
  const micros = 1_795_000_000_123_999;
  const moment = toMoment(micros);
  const ids = Array.from({ length: 20_000 }, () => moment.newId());
  for (const id of ids) {
    expect(id).toMatch(UUID_V7);
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

test("ids of a later moment sort higher than those of a moment one microsecond earlier, whichever are created first", () => {
  for (const micros of [1_795_000_000_123_000, 1_795_000_000_123_456, 1_795_000_000_123_998]) {
    const [earlier, later] = [toMoment(micros), toMoment(micros + 1)];
    const young = Array.from({ length: 1_000 }, () => later.newId());
    const old = Array.from({ length: 1_000 }, () => earlier.newId());
    expect([...old, ...young]).toEqual([...old, ...young].toSorted());
  }
});

test("an id without a moment is a random UUIDv4, and no random bytes are reused", () => {
  const ids = Array.from({ length: 5_000 }, () => newId());
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  }
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
});
