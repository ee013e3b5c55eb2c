import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { toConnectionsMax } from "./connection-limit.ts";

test("connections take at most half of the files that the process may open", () => {
  expect([64, 1_024, 8_192, 524_288, Infinity].map(toConnectionsMax)).toEqual([
    32, 512, 4_096, 4_096, 4_096,
  ]);
});

test("the limit is the process's own", () => {
  const file = path.join(import.meta.dirname, "connection-limit.ts");
  const program = `import { readConnectionsMax } from ${JSON.stringify(file)}; console.log(readConnectionsMax());`;
  const printed = execFileSync(
    "sh",
    ["-c", 'ulimit -n 600; "$0" --input-type=module -e "$1"', process.execPath, program],
    { encoding: "utf8" },
  );
  expect(printed.trim()).toBe("300");
});
