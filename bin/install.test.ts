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

const OLD = `Object.defineProperty(process, "version", { value: "v18.20.4" })`;
const LOCKED = `node_modules/node-${process.platform}-${process.arch}`;

function lock(packages: Readonly<Record<string, { version: string }>>): void {
  writeFileSync(path.join(directory, "package-lock.json"), JSON.stringify({ packages }));
}

test("on a Node on which npm would leave packages out, npm gets the locked Node first, and runs on it", () => {
  lock({ [LOCKED]: { version: "24.21.0" } });
  // Fails at the second call, after which there is nothing left to see.
  const npm = `echo "$1 $4 $PATH" >&2; [ "$1" = install ]`;
  const [first, second] = install(OLD, npm).stderr.split("\n");
  expect(first).toBe(`install ${path.basename(LOCKED)}@24.21.0 ${directory}`);
  expect(second).toMatch(new RegExp(`^ci .*/floatdeck-node-\\w+/${LOCKED}/bin:${directory}$`, "u"));
});

test("a machine without a locked Node whose own is too old for npm is refused in one sentence", () => {
  lock({});
  const { status, stderr } = install(OLD, "exit 0");
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
