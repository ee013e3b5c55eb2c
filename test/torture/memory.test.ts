import { expect, test } from "vitest";
import { findGrowingMemory, readResident } from "./memory.ts";
import type { MemorySample } from "./memory.ts";

function toSamples(values: readonly number[], pid = 1): MemorySample[] {
  return values.map((mib, index) => ({ name: "server 2", pid, atMs: index * 60_000, mib }));
}

test("memory that grows throughout is found", () => {
  const growing = Array.from({ length: 60 }, (_, minute) => 200 + minute * 5);
  expect(findGrowingMemory(toSamples(growing))).toEqual([
    "server 2 used 310 MiB in the second quarter, and 460 in the last",
  ]);
});

test("memory that warms up and then breathes is not", () => {
  const breathing = Array.from({ length: 60 }, (_, minute) =>
    minute < 10 ? 150 + minute * 15 : 300 + (minute % 5) * 10,
  );
  expect(findGrowingMemory(toSamples(breathing))).toEqual([]);
});

test("a process that was started again has no memory to compare", () => {
  const first = toSamples(Array.from({ length: 30 }, () => 200));
  const second = toSamples(
    Array.from({ length: 30 }, () => 900),
    2,
  );
  expect(findGrowingMemory([...first, ...second])).toEqual([]);
});

test.skipIf(process.platform !== "linux")("resident memory is what the process itself says", () => {
  const own = process.memoryUsage.rss() / 2 ** 20;
  expect(readResident(process.pid)).toBeGreaterThan(own * 0.8);
  expect(readResident(process.pid)).toBeLessThan(own * 1.2);
});
