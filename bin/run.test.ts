import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const HEAP = /--max-semi-space-size=\d+/gu;

test.each(["Dockerfile", "docs/operations.md"])(
  "%s limits new objects as npm start does",
  (file) => {
    const [limit] = read("bin/run.mjs").match(HEAP) ?? [];
    expect(limit).toBeDefined();
    expect(read(file).match(HEAP)).toEqual([limit]);
  },
);

function read(file: string): string {
  return readFileSync(path.join(import.meta.dirname, "..", file), "utf8");
}
