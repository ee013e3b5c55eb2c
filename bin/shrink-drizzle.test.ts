import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shrinkDrizzleExports } from "./shrink-drizzle.mjs";

const ROOT = path.join(import.meta.dirname, "..");
/** drizzle-orm 0.45 is published with 179,000 characters; shrunk, it has 20,000. */
const LENGTH_MAX = 25_000;

let modules: string;

beforeEach(() => {
  modules = path.join(mkdtempSync(path.join(tmpdir(), "floatdeck-drizzle-")), "node_modules");
});

afterEach(() => rmSync(path.dirname(modules), { recursive: true }));

function targets(file: string) {
  return {
    import: { types: `${file}.d.ts`, default: `${file}.js` },
    require: { types: `${file}.d.cts`, default: `${file}.cjs` },
    types: `${file}.d.ts`,
    default: `${file}.js`,
  };
}

test("a file is found as before, whether or not it is listed as the pattern has it", () => {
  const root = path.join(modules, "drizzle-orm");
  const listed = {
    ".": targets("./index"),
    "./sql": targets("./sql/index"),
    "./pg-core/table": targets("./pg-core/table"),
    "./pg-core/columns/all": targets("./pg-core/columns/all"),
  };
  for (const { require } of Object.values(listed)) {
    mkdirSync(path.dirname(path.join(root, require.default)), { recursive: true });
    writeFileSync(path.join(root, require.default), "");
  }
  const file = path.join(root, "package.json");
  writeFileSync(file, JSON.stringify({ name: "drizzle-orm", version: "1.2.3", exports: listed }));
  shrinkDrizzleExports(modules);
  // An installation may be repeated.
  shrinkDrizzleExports(modules);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    name: "drizzle-orm",
    version: "1.2.3",
    exports: { ".": listed["."], "./sql": listed["./sql"], "./*": targets("./*") },
  });
  const { resolve } = createRequire(path.join(modules, "index.js"));
  for (const [name, { require }] of Object.entries(listed)) {
    expect(resolve(path.posix.join("drizzle-orm", name))).toBe(path.join(root, require.default));
  }
});

test("what Node reads for each import of the installed package is short", () => {
  const installed = path.join(ROOT, "node_modules/drizzle-orm/package.json");
  expect(readFileSync(installed, "utf8").length).toBeLessThan(LENGTH_MAX);
});
