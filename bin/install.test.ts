import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "floatdeck-install-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Installs in an empty directory, on a Node and with an npm of the test. */
function install(before: string, npm: string | undefined) {
  if (npm !== undefined) {
    writeFileSync(path.join(directory, "npm"), `#!/bin/sh\n${npm}\n`);
    chmodSync(path.join(directory, "npm"), 0o755);
  }
  const program = path.join(import.meta.dirname, "install.mjs");
  return spawnSync(
    process.execPath,
    [
      "--eval",
      `${before}; import(${JSON.stringify(program)}).then(({ installForRelease }) => installForRelease("."))`,
    ],
    { cwd: directory, encoding: "utf8", env: { ...process.env, PATH: directory } },
  );
}

test("a Node on which npm would leave packages out is refused in one sentence", () => {
  const old = `Object.defineProperty(process, "version", { value: "v18.20.4" })`;
  const { status, stderr } = install(old, "exit 0");
  expect(stderr).toBe(
    "floatdeck: Installing takes npm on Node 20 or newer; this is Node v18.20.4.\n",
  );
  expect(status).toBe(1);
});

test.each([
  [
    "echo no such registry >&2; exit 1",
    "no such registry\nfloatdeck: npm could not install the packages; it says above why.",
  ],
  [
    undefined,
    "floatdeck: npm could not install the packages; it cannot be run: spawnSync npm ENOENT.",
  ],
])("an npm that fails is reported in one sentence: %s", (npm, reported) => {
  const { status, stderr } = install("", npm);
  expect(stderr).toBe(`${reported} Correct that, and start again.\n`);
  expect(status).toBe(1);
});
