import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
      `${before}; import(${JSON.stringify(program)}).then(({ installInto }) => installInto("."))`,
    ],
    { cwd: directory, encoding: "utf8", env: { ...process.env, PATH: directory } },
  );
}

const ROOT = path.join(import.meta.dirname, "..");
const OLD = `Object.defineProperty(process, "version", { value: "v18.20.4" })`;
const LOCKED = `node_modules/node-${process.platform}-${process.arch}`;

const INTEGRITY = `sha512-${"A".repeat(86)}==`;

function lock(packages: Readonly<Record<string, object>>): void {
  writeFileSync(path.join(directory, "package-lock.json"), JSON.stringify({ packages }));
}

test("on a Node on which npm would leave packages out, npm gets the locked Node first, and runs on it", () => {
  lock({ [LOCKED]: { version: "24.21.0", integrity: INTEGRITY } });
  // Fails at the second call, after which there is nothing left to see.
  const npm = `echo "$1 $PATH" >&2; /bin/cat package-lock.json >&2; echo >&2; [ "$PATH" = ${directory} ]`;
  const [first, wanted = "", second] = install(OLD, npm).stderr.split("\n");
  expect(first).toBe(`ci ${directory}`);
  expect(JSON.parse(wanted)).toMatchObject({
    packages: { [LOCKED]: { version: "24.21.0", integrity: INTEGRITY } },
  });
  expect(second).toMatch(
    new RegExp(`^ci .*/floatdeck-package-\\w+/${LOCKED}/bin:${directory}$`, "u"),
  );
});

test.each([
  ["no hash", {}],
  ["a weak hash", { integrity: "sha1-6bIl9F05XvsPnaWYcRDzpfLGtqw=" }],
])("a lock file with %s of a package is refused before npm runs", (_what, known) => {
  lock({ "": {}, "node_modules/fine": { integrity: INTEGRITY }, "node_modules/any": known });
  const { status, stderr } = install("", "echo installed >&2");
  expect(stderr).toBe(
    "floatdeck: package-lock.json has no hash of node_modules/any, so nothing can vouch for what would be installed.\n",
  );
  expect(status).toBe(1);
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
  lock({});
  const { status, stderr } = install("", npm);
  expect(stderr).toBe(`${reported} Correct that, and start again.\n`);
  expect(status).toBe(1);
});

test.each([
  ["another text", "src/connection.js", ""],
  ["another version", "package.json", JSON.stringify({ name: "postgres", version: "3.4.10" })],
])(
  "a package with %s than its patch is for fails the installation in one sentence",
  (_what, file, text) => {
    lock({});
    writeFileSync(path.join(directory, "package.json"), "{}");
    for (const copied of ["patches", "node_modules/postgres"]) {
      cpSync(path.join(ROOT, copied), path.join(directory, copied), { recursive: true });
    }
    const tool = "node_modules/patch-package";
    symlinkSync(path.join(ROOT, tool), path.join(directory, tool));
    // To apply a patch again succeeds, so all that is wrong is this.
    writeFileSync(path.join(directory, "node_modules/postgres", file), text);
    const { status, stdout, stderr } = install("", "exit 0");
    expect(stdout).toBe("");
    expect(stderr).toBe(
      `floatdeck: ${patches()} does not apply to the installed package. Write it again for the version in package-lock.json.\n`,
    );
    expect(status).toBe(1);
  },
);

function patches(): string {
  return globSync("patches/*", { cwd: ROOT }).join(" or ");
}
