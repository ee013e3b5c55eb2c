import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { addUp, note, ProcessorSeconds, toShown } from "./processor-seconds.ts";
import type { Seen, Sighting } from "./processor-seconds.ts";

const TESTS = {
  id: "1@1",
  parent: "",
  name: "node",
  commandLine: "node bin/test.ts",
  own: 100,
  reaped: 0,
};
const SERVER = {
  id: "2@1",
  parent: "1@1",
  name: "MainThread",
  commandLine: "node /a/dist/start.js --empty",
  own: 200,
  reaped: 0,
};
const POSTGRES = {
  id: "3@1",
  parent: "2@1",
  name: "postgres",
  commandLine: "postgres -D /a",
  own: 300,
  reaped: 50,
};
const OTHER = { id: "9@1", parent: "", name: "node", commandLine: "node", own: 7_000, reaped: 0 };

function count(...moments: readonly (readonly Sighting[])[]) {
  const seen = new Map<string, Seen>();
  for (const processes of moments) {
    note(seen, processes, TESTS.id);
  }
  return addUp(seen);
}

test("each process counts for its part, and a foreign one for none", () => {
  const sums = { browser: 0, database: 3.5, server: 2, tests: 1 };
  expect(count([TESTS, SERVER, POSTGRES, OTHER])).toEqual(sums);
});

test("a database that outlives its server still counts, and with what it used afterward", () => {
  const later = { ...POSTGRES, parent: "", own: 400 };
  const sums = { browser: 0, database: 4.5, server: 2, tests: 3 };
  // The server was reaped with what it had used: only once, and the rest is that of children nobody saw.
  expect(count([TESTS, SERVER, POSTGRES], [{ ...TESTS, reaped: 400 }, later])).toEqual(sums);
});

test("a server that has ended and was not yet reaped is still a server", () => {
  const ended = { ...SERVER, commandLine: "", own: 250 };
  expect(count([TESTS, SERVER], [TESTS, ended])).toMatchObject({ server: 2.5, tests: 1 });
});

test("a child that nobody saw counts as its parent", () => {
  expect(count([{ ...TESTS, reaped: 30 }])).toMatchObject({ tests: 1.3 });
});

test("what a program has reaped at its own end counts once", () => {
  const builder = { ...SERVER, commandLine: "node bin/build.ts", own: 5 };
  const compiler = { ...SERVER, id: "3@1", parent: builder.id, commandLine: "compiler", own: 600 };
  const moments = [[TESTS, builder, compiler], [{ ...TESTS, reaped: 605 }]] as const;
  expect(count(...moments)).toMatchObject({ tests: 7.05 });
});

test("a name with spaces and parentheses is read from proc", () => {
  const stat = "7 (a (b) c) S 4 7 7 0 -1 4194560 1 2 3 4 11 12 13 14 20 0 1 0 999 5 6";
  expect(toShown(stat, "a")).toEqual({
    pid: 7,
    parentPid: 4,
    startedAt: 999,
    name: "a (b) c",
    commandLine: "a",
    own: 23,
    reaped: 27,
  });
});

test.runIf(process.platform === "linux")("what a program used is in the sum", () => {
  const counted = new ProcessorSeconds();
  execFileSync(process.execPath, [
    "-e",
    "const end = Date.now() + 3_000; while (process.cpuUsage().user < 1e6 && Date.now() < end);",
  ]);
  const [, seconds] =
    /^Processor seconds: (\d+) \(.*\); calibration \d+ ms, /u.exec(counted.stop()) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(1);
});
