import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#db/root.ts";
import { PLANTED } from "./planted.ts";

test.each(PLANTED)(
  "$name can be planted, and the tests that find it exist",
  ({ edits, foundBy }) => {
    for (const { file, before, after } of edits) {
      expect(readFileSync(path.join(ROOT, file), "utf8").split(before)).toHaveLength(2);
      expect(after).not.toBe(before);
    }
    expect(existsSync(path.join(ROOT, foundBy ?? ""))).toBe(true);
  },
);
