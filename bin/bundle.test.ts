import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "#db/root.ts";

/** A copy of what is bundled, so that the tests may change it. */
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), "floatdeck-bundle-"));
  for (const name of ["app/api", "bin", "db", "lib", "package.json", "package-lock.json"]) {
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
});

afterAll(() => rmSync(copy, { recursive: true }));

/** Makes the bundles as `npm start` does. */
function bundle(before = "", environment = {}) {
  const program = `${before}\nawait (await import("./bin/bundle.mjs")).bundle();`;
  return run(["--input-type=module", "--eval", program], environment);
}

function run(args: readonly string[], environment = {}) {
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", env });
}

function help() {
  return run(["--enable-source-maps", "dist/floatdeck.js", "--help"]);
}

test("a bundle loads nothing but Node and what the pages load as well, and its map names our files", () => {
  expect(bundle().stderr).toBe("");
  const bundles = globSync("dist/*.js", { cwd: copy });
  expect(bundles).toHaveLength(4);
  for (const file of bundles) {
    const code = readFileSync(path.join(copy, file), "utf8");
    const loaded = [...code.matchAll(/^import .*?"(?<name>[^"]+)";$/gmu)].map(([, name]) => name);
    const packages = loaded.filter((name) => !isBuiltin(name ?? ""));
    expect(packages).toContain("postgres");
    expect(["next", "pino", "postgres"]).toEqual(expect.arrayContaining(packages));
    const { sources }: { sources: string[] } = JSON.parse(
      readFileSync(path.join(copy, `${file}.map`), "utf8"),
    );
    const ours = sources.filter((source) => !source.includes("node_modules"));
    expect(ours.length).toBeGreaterThan(10);
    expect(ours.filter((source) => !isThere(source))).toEqual([]);
  }
});

function isThere(source: string): boolean {
  return existsSync(path.resolve(copy, "dist", decodeURIComponent(source)));
}

test("a change of the sources reaches the next start, and an error there names its source", () => {
  bundle();
  expect(help().stdout).toContain("Usage: npm run floatdeck");
  const file = path.join(copy, "bin/floatdeck-cli.ts");
  const source = readFileSync(file, "utf8");
  const changed = source.replace(/^export async function runCommand[^{]*\{/mu, (head) => {
    return `${head}\n  throw new Error("planted");`;
  });
  writeFileSync(file, changed);
  bundle();
  const line = changed.split("\n").findIndex((each) => each.includes('Error("planted")')) + 1;
  expect(help().stderr).toContain(`bin/floatdeck-cli.ts:${line}:`);
});

/** Ends a process at one of the calls with which it changes the file system; in the middle of removing a folder. */
const KILL = `
  import fs, { existsSync, unlinkSync } from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let left = Number(process.env.KILL_AT);
  const end = (file) => {
    if (existsSync(file + "/start.js")) unlinkSync(file + "/start.js");
    process.kill(process.pid, "SIGKILL");
  };
  for (const name of ["mkdirSync", "writeFileSync", "rmSync", "renameSync"]) {
    const call = fs[name];
    fs[name] = (...args) => (left-- === 0 ? end(name === "rmSync" ? args[0] : "") : call(...args));
  }
  syncBuiltinESMExports();`;

test("a bundling that is killed at any time leaves nothing half made that a start would run", () => {
  for (const program of globSync("bin/{start,pages,worker,floatdeck}.ts", { cwd: copy })) {
    writeFileSync(path.join(copy, program), "process.stdout.write('small');");
  }
  bundle();
  const whole = listBundles();
  const lock = path.join(copy, "package-lock.json");
  const locked = readFileSync(lock, "utf8");
  let at = 0;
  for (; ; at += 1) {
    writeFileSync(lock, `${locked} `);
    const { signal } = bundle(KILL, { KILL_AT: String(at) });
    // What is left of the old bundles must not count either, once the sources are again those that they were made of.
    writeFileSync(lock, locked);
    bundle();
    expect(listBundles()).toEqual(whole);
    if (signal === null) {
      break;
    }
  }
  expect(at).toBeGreaterThan(whole.length);
});

function listBundles(): string[] {
  return globSync("dist/*", { cwd: copy }).toSorted();
}
