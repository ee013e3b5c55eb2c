import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeCopies, removeAbandonedCopies } from "./mutant-copies.ts";

const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-copies-test-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("copies of a run that was killed are removed, and nothing else", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const abandoned = path.join(folder, `floatdeck-mutants-${pid}-a1`);
  mkdirSync(abandoned);
  writeFileSync(path.join(abandoned, "copy.ts"), "");
  const running = path.basename(makeCopies(folder));
  mkdirSync(path.join(folder, `floatdeck-test-${pid}-a1`));
  removeAbandonedCopies(folder);
  expect(readdirSync(folder).toSorted()).toEqual([running, `floatdeck-test-${pid}-a1`]);
});
