import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");

test.each(["reliability", "security"])("every test that docs/%s.md names exists", (name) => {
  const guide = readFileSync(path.join(ROOT, "docs", `${name}.md`), "utf8");
  const files = globSync("{app,bin,db,e2e,lib,test}/**/*.{test,spec,fault}.ts", { cwd: ROOT });
  const existing = new Set(files.map((file) => path.basename(file)));
  const named = [...guide.matchAll(/`(?<file>[\w-]+\.(?:test|spec|fault)\.ts)`/gu)].map(
    ({ groups }) => groups?.["file"] ?? "",
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existing.has(file))).toEqual([]);
});
