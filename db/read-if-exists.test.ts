import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readIfExists } from "./read-if-exists.ts";

test("a file is its text, no file is nothing, and what cannot be read is an error", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-read-"));
  const file = path.join(folder, "postmaster.pid");
  expect(readIfExists(file)).toBeUndefined();
  writeFileSync(file, "1\n");
  expect(readIfExists(file)).toBe("1\n");
  expect(() => readIfExists(folder)).toThrow("EISDIR");
  rmSync(folder, { recursive: true });
});
