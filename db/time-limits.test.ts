import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { timeLimit, withTimeLimits } from "./time-limits.ts";

const HOME = path.join(import.meta.dirname, "time-limits.ts");

/** What a process with this environment takes for the limit of a read. */
function readLimitWith(factor: string): string {
  const program = `import { timeLimit } from ${JSON.stringify(HOME)}; process.stdout.write(String(timeLimit("read")));`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    env: { ...process.env, TIME_LIMIT_FACTOR: factor },
  });
}

test("a factor multiplies every limit, and without one the shipped limits apply", () => {
  expect(readLimitWith("")).toBe("2200");
  expect(readLimitWith("5")).toBe("11000");
});

test("tests run with five times the shipped limits, except where one changes them", async () => {
  expect(timeLimit("read")).toBe(11_000);
  await withTimeLimits({ read: 20, begin: 30 }, async () => {
    await withTimeLimits({ read: 10 }, async () => expect(timeLimit("read")).toBe(10));
    expect([timeLimit("read"), timeLimit("begin")]).toEqual([20, 30]);
  });
  expect([timeLimit("read"), timeLimit("begin")]).toEqual([11_000, 10_000]);
});

test("limits that are changed at the same time end one by one", async () => {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const changed = [
    withTimeLimits({ read: 20 }, () => first.promise),
    withTimeLimits({ read: 30 }, () => second.promise),
  ];
  expect(timeLimit("read")).toBe(30);
  first.resolve();
  await changed[0];
  expect(timeLimit("read")).toBe(30);
  second.resolve();
  await changed[1];
  expect(timeLimit("read")).toBe(11_000);
});

test("limits that contain others stay longer than them, whatever the factor", () => {
  expect(timeLimit("readStatement")).toBeGreaterThan(timeLimit("read"));
  expect(timeLimit("work")).toBeGreaterThan(timeLimit("statement"));
  expect(timeLimit("earlierWriters")).toBeGreaterThan(
    timeLimit("begin") + timeLimit("work") + timeLimit("commit"),
  );
  expect(timeLimit("webhookClaim")).toBeGreaterThan(2 * timeLimit("webhookAttempt"));
});
