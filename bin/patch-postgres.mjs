import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

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

/** Patches the driver in a directory of packages; one that is patched already stays as it is. */
export function patchPostgresDriver(modules) {
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
      `${file} is not the postgres.js version that our patch applies to; see bin/patch-postgres.mjs.`,
    );
  }
  return text.replace(before, () => after);
}
