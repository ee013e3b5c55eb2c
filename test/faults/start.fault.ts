import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { prepareHome } from "#db/embedded-home.ts";
import { toBundle } from "../../bin/bundle.mjs";
import { credit, newClient } from "./load.ts";
import { controlDatabase, waitUntilReady } from "./rig.ts";
import {
  place,
  postmasterOf,
  run,
  serve,
  startDatabase,
  stop,
  toEnvironment,
  useStarts,
} from "./starts.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";

useStarts();

test("an embedded PostgreSQL that is killed comes back with everything acknowledged, five times and no more", async () => {
  const server = await serve("data");
  await waitUntilReady(server);
  const client = await newClient(server);
  const acknowledged: string[] = [];
  for (let kill = 1; kill <= 5; kill += 1) {
    for (const part of ["a", "b", "c"]) {
      const key = `${kill}-${part}`;
      expect(await credit(server, client, key)).toMatchObject({ status: 200 });
      acknowledged.push(key);
    }
    process.kill(postmasterOf(server), "SIGKILL");
    await expect.poll(() => server.log(), { timeout: 10_000 }).toContain(`"attempt":${kill}`);
    await waitUntilReady(server);
  }
  const credentials: { ownerPassword: string } = JSON.parse(
    readFileSync(path.join(server.dataDir, "database.json"), "utf8"),
  );
  const port = readFileSync(path.join(server.dataDir, "postgres", "postmaster.pid"), "utf8").split(
    "\n",
  )[3];
  const owner = postgres(
    `postgres://floatdeck_owner:${credentials.ownerPassword}@127.0.0.1:${port}/floatdeck`,
    { max: 1 },
  );
  const rows = await owner`
    select idempotency_key as name from transfers where integrator_id = ${client.integratorId}
      and idempotency_key is not null`;
  await owner.end();
  const names = acknowledged.map((key) => toIdempotencyName(client.integratorId, key));
  expect(rows.map((row) => String(row["name"])).toSorted()).toEqual(names.toSorted());
  process.kill(postmasterOf(server), "SIGKILL");
  expect(await server.exit).toBe(1);
  expect(server.log()).toContain(
    "The embedded PostgreSQL ended again after 5 restarts within 10 minutes",
  );
});

test("a copy of a data directory is refused beside its running server, which notices nothing", async () => {
  const server = await serve("data");
  await waitUntilReady(server);
  const client = await newClient(server);
  const pid = postmasterOf(server);
  execFileSync("cp", ["-a", server.dataDir, path.join(place, "copy")]);
  const copied = await serve("copy");
  expect(await copied.exit).toBe(1);
  expect(copied.log()).toMatch(
    /floatdeck: \S+\/copy\/postgres is a copy of \S+\/data\/postgres, made while/u,
  );
  expect(postmasterOf(server)).toBe(pid);
  expect(await credit(server, client, "after")).toMatchObject({ status: 200 });
});

test("two servers that start at once on an empty sandbox both come up", async () => {
  const database = await startDatabase();
  const servers = await Promise.all(
    ["one", "two"].map((name) =>
      run([toBundle("start.ts"), "--api-only"], path.join(place, name), toEnvironment(database)),
    ),
  );
  await Promise.all(servers.map((server) => waitUntilReady(server)));
  const demos = servers.filter(({ dataDir }) => existsSync(path.join(dataDir, "demo.json")));
  expect(demos).toHaveLength(1);
});

describe("a database of the other environment", () => {
  const SENTENCE =
    /^floatdeck: This database belongs to a (\w+) installation, and FLOATDECK_ENV is (\w+)/mu;

  test.each([
    ["sandbox", "live"],
    ["live", "sandbox"],
  ])("(%s, started as %s) is refused by server, worker and commands", async (kept, wanted) => {
    const environment = {
      ...toEnvironment(await startDatabase()),
      PUBLIC_URL: "https://cards.example.com",
      // Live takes no other limits.
      TIME_LIMIT_FACTOR: "",
    };
    const first = await serve("one", { ...environment, FLOATDECK_ENV: kept });
    await waitUntilReady(first);
    await stop(first.child);
    for (const program of [
      [toBundle("start.ts")],
      [toBundle("worker.ts")],
      [toBundle("floatdeck.ts"), "integrator", "list"],
    ]) {
      const other = await run(program, path.join(place, "two"), {
        ...environment,
        FLOATDECK_ENV: wanted,
      });
      expect(await other.exit).toBe(1);
      expect(SENTENCE.exec(other.log())?.slice(1)).toEqual([kept, wanted]);
    }
    const again = await serve("one", { ...environment, FLOATDECK_ENV: kept });
    await waitUntilReady(again);
  });
});

test("server and worker wait for a database that starts after them, and SIGHUP ends both in order", async () => {
  const environment = toEnvironment(await startDatabase());
  const first = await serve("one", environment);
  await waitUntilReady(first);
  await stop(first.child);
  const home = prepareHome(path.join(place, "database"));
  controlDatabase({ home }, "stop", "-m", "fast");
  const server = await serve("one", environment);
  const worker = await run([toBundle("worker.ts")], path.join(place, "two"), environment);
  const waiting = "The database does not answer (ECONNREFUSED); waiting at most";
  await expect.poll(server.log).toContain(waiting);
  await expect.poll(worker.log).toContain(waiting);
  controlDatabase({ home }, "restart");
  await waitUntilReady(server);
  await expect.poll(worker.log).toContain("Sending notifications.");
  for (const { child, exit, log } of [server, worker]) {
    expect(log().split(waiting)).toHaveLength(2);
    await stop(child, "SIGHUP");
    expect(await exit).toBe(0);
  }
});

test("a database that refuses a server is not waited for", async () => {
  const { appUrl } = await startDatabase();
  const [wrongPassword, unknown] = [new URL(appUrl), new URL(appUrl)];
  wrongPassword.password = "wrong";
  unknown.pathname = "/unknown";
  for (const [url, reason] of [
    [wrongPassword, /refuses the connection: password authentication failed .* \(28P01\)/u],
    [unknown, /refuses the connection: database "unknown" does not exist \(3D000\)/u],
  ] as const) {
    const server = await serve("one", { DATABASE_URL: url.href });
    expect(await server.exit).toBe(1);
    expect(server.log()).toMatch(reason);
    expect(server.log()).not.toContain("waiting");
  }
});

test("a server that may open no more files goes on, and serves again once it may", async () => {
  const server = await run([toBundle("start.ts"), "--empty"], path.join(place, "data"));
  await waitUntilReady(server);
  const client = await newClient(server);
  const askForPage = async () => (await fetch(new URL("/sign-in", server.baseUrl))).status;
  await expect.poll(askForPage).toBe(200);
  const { pid } = server.child;
  const pages = execFileSync("pgrep", ["-P", String(pid), "-f", toBundle("pages.ts")], {
    encoding: "utf8",
  });
  const allowFiles = (count: number) =>
    execFileSync("prlimit", ["--pid", String(pid), `--nofile=${count}:`]);
  // Fewer than it has open already.
  allowFiles(10);
  process.kill(Number(pages), "SIGKILL");
  await expect.poll(server.log).toContain("Could not check whether the embedded PostgreSQL");
  await expect.poll(server.log).toContain("Could not start the pages");
  allowFiles(1_024);
  await waitUntilReady(server);
  expect(await credit(server, client, "after")).toMatchObject({ status: 200 });
  await expect.poll(askForPage).toBe(200);
  expect(server.child.exitCode).toBeNull();
});
