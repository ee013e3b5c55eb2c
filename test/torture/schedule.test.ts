import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PLANTED } from "./planted.ts";
import { toSchedule } from "./schedule.ts";

describe("a schedule", () => {
  test("is the same for the same seed, and another for another", () => {
    expect(toSchedule(7, 600_000)).toEqual(toSchedule(7, 600_000));
    expect(toSchedule(8, 600_000)).not.toEqual(toSchedule(7, 600_000));
  });

  test("has every kind of fault once before any occurs again", () => {
    const kinds = toSchedule(7, 600_000).map(({ kind }) => kind);
    expect(new Set(kinds.slice(0, 9)).size).toBe(9);
    expect(new Set(kinds.slice(9, 18)).size).toBe(9);
  });

  test("lets one fault end before the next begins", () => {
    const faults = toSchedule(7, 600_000);
    for (const [index, { atMs, lastsMs }] of faults.entries()) {
      expect(atMs + lastsMs).toBeLessThan(faults[index + 1]?.atMs ?? Number.POSITIVE_INFINITY);
    }
  });
});

test("the checker shares no code with the product", () => {
  const own = [
    "balance-rules.ts",
    "checker.ts",
    "cover.ts",
    "history.ts",
    "order-rules.ts",
    "peaks.ts",
    "trace-rules.ts",
  ];
  for (const file of own) {
    const text = readFileSync(path.join(import.meta.dirname, file), "utf8");
    const imported = [...text.matchAll(/from "(?<from>[^"]+)"/gu)].map(
      ({ groups }) => groups?.["from"],
    );
    const allowed = new Set(["postgres", ...own.map((name) => `./${name}`)]);
    expect(imported.filter((from) => from && !allowed.has(from))).toEqual([]);
  }
});

test.each(PLANTED.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit }))))(
  "$name can still be planted in $file",
  ({ file, before }) => {
    const source = readFileSync(path.join(import.meta.dirname, "../..", file), "utf8");
    expect(source.split(before)).toHaveLength(2);
  },
);
