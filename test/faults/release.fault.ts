import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  globSync,
  mkdtempSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbedded } from "#db/embedded.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { findFreePort } from "#db/postmaster.ts";
import type { Demo } from "#lib/operator/demo.ts";
import { toRegistration } from "#test/scene/people.ts";
import { waitUntilReady } from "./rig.ts";

/**
 * The release is what the image runs: it must hold everything a server and a worker read, run as an ordinary account, and
 * write nowhere but to DATA_DIR.
 */

const ROOT = path.join(import.meta.dirname, "../..");
/** Today's is 286; one with the packages of a server had 987. */
const SIZE_MAX_MB = 350;
/** The account `nobody`. */
const NOBODY = 65_534;
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Files in which a checkout that also runs containers has its secrets. Next.js copies some of them into its build.
 */
const SECRET_FILES = [
  ".env",
  ".env.local",
  ".env.production",
  ".next/standalone/.env",
  ".next/standalone/.env.local",
  ".next/standalone/.env.production",
  "docs/deploy/.env.local",
];
const PLANTED = "planted-5f0c2d7e-no-release-has-this";

let place: string;
let release: string;
let database: EmbeddedDatabase | undefined;
const children: ChildProcess[] = [];

beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), "floatdeck-release-"));
  chmodSync(place, 0o755);
  release = path.join(place, "floatdeck");
  const planted = SECRET_FILES.filter((file) => plant(file));
  try {
    execFileSync(process.execPath, ["bin/release.ts", release], {
      cwd: ROOT,
      stdio: "pipe",
    });
  } finally {
    planted.forEach((file) => rmSync(path.join(ROOT, file)));
  }
  execFileSync("chmod", ["--recursive", "a-w", release]);
}, 300_000);

/**
 * Writes a secret into the file unless a developer has one of that name.
 * @returns whether it did.
 */
function plant(file: string): boolean {
  try {
    writeFileSync(path.join(ROOT, file), `PLANTED_SECRET=${PLANTED}\n`, { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

afterAll(async () => {
  await Promise.all(children.map((child) => stop(child)));
  await database?.stop();
  execFileSync("chmod", ["--recursive", "u+w", release]);
  rmSync(place, { recursive: true, force: true });
});

test("a release has what a server reads alone, the driver's patch, and a bill of materials", () => {
  const modules = path.join(release, "node_modules");
  const builders = globSync(["esbuild", "@esbuild", "sharp", "@img", "typescript", "vitest"], {
    cwd: modules,
  });
  expect(builders).toEqual([]);
  expect(
    globSync(["{app,lib,test}", "{bin,db}/**/*.ts", ".next/**/*.map"], { cwd: release }),
  ).toEqual([]);
  expect(readFileSync(path.join(modules, "postgres/src/index.js"), "utf8")).toContain(
    "survivesRestarts: true",
  );
  const { bomFormat, components }: { bomFormat: string; components: { name: string }[] } =
    JSON.parse(readFileSync(path.join(release, "sbom.json"), "utf8"));
  const names = components.map(({ name }) => name);
  expect(bomFormat).toBe("CycloneDX");
  expect(names).toEqual(expect.arrayContaining(["next", "postgres", "zod"]));
  expect(names).not.toContain("vitest");
});

test("a release has no file with secrets of its checkout, and their values in no file", () => {
  const files = readdirSync(release, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter(({ name }) => name.startsWith(".env"))).toEqual([]);
  const holding = files
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => readFileSync(file).includes(PLANTED));
  expect(holding).toEqual([]);
});

test.each([".gitignore", ".dockerignore"])("%s keeps secrets of the checkout out", (file) => {
  const patterns = readFileSync(path.join(ROOT, file), "utf8").split("\n");
  const isOut = (name: string) =>
    patterns.some((pattern) => path.matchesGlob(name, pattern.replace(/^(?!\*\*\/)/u, "**/")));
  expect([".env", ".env.local", "deploy/.env.production"].filter((name) => !isOut(name))).toEqual(
    [],
  );
});

test(`a release has at most ${SIZE_MAX_MB} MB, with Node and PostgreSQL`, () => {
  const sizes = readdirSync(release, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(path.join(parentPath, name)).size);
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  expect(megabytes).toBeGreaterThan(100);
  expect(megabytes).toBeLessThan(SIZE_MAX_MB);
});

test("npm's commands run in a release without installing or bundling anything", () => {
  const help = ["bin/run.mjs", "floatdeck.ts", "--help"];
  expect(
    execFileSync(process.execPath, help, { cwd: release, encoding: "utf8", ...asNobody }),
  ).toMatch(/^Usage: npm run floatdeck/u);
});

test("a release is made only in an empty directory", () => {
  expect(() =>
    execFileSync(process.execPath, ["bin/release.ts", release], { cwd: ROOT, stdio: "pipe" }),
  ).toThrow(`${release} is not empty. Name a new or an empty directory.`);
});

test("a directory that cannot be written is refused before anything is built", () => {
  const target = path.join(release, "package.json", "below");
  expect(() =>
    execFileSync(process.execPath, ["bin/release.ts", target], { cwd: ROOT, stdio: "pipe" }),
  ).toThrow(
    `${target} cannot be written (ENOTDIR). Name a directory that this account may write to.`,
  );
});

test("an ordinary account runs server and worker from a release that nobody can write to", async () => {
  const dataDir = path.join(place, "data");
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o777);
  database = await startEmbedded(path.join(place, "database"));
  await migrate(database.ownerUrl, database.appRole);
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    FLOATDECK_SECRET: "a secret for the test of a release",
  };
  const port = await findFreePort();
  const server = run("dist/start.js", { ...settings, PORT: String(port) });
  await waitUntilReady({ baseUrl: `http://127.0.0.1:${port}/api`, log: server.log });
  for (const page of ["/sign-in", "/docs/quick-start", "/docs/errors", "/docs/api"]) {
    const answer = () => fetch(`http://127.0.0.1:${port}${page}`).then(({ status }) => status);
    await expect.poll(answer, { timeout: 30_000 }).toBe(200);
  }
  const { apiKey, cardId }: Demo = JSON.parse(
    readFileSync(path.join(dataDir, "demo.json"), "utf8"),
  );
  const send = (method: string, line: string, body: object) =>
    fetch(`http://127.0.0.1:${port}/api/${line}`, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }).then(({ status }) => status);
  const someone = toRegistration("ada@northwind.example");
  expect(await send("POST", "card-integrators/register-integrator", someone)).toBe(201);
  expect(await send("PATCH", "cards/credit/balance", { card_id: cardId, amount: 2_000 })).toBe(200);
  const metricsPort = String(await findFreePort());
  const worker = run("dist/worker.js", { ...settings, METRICS_PORT: metricsPort });
  const isWorking = () =>
    fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isWorking, { timeout: 30_000 }).toBe(true);
  expect(await stop(worker.child)).toBe(0);
  expect(await stop(server.child)).toBe(0);
}, 120_000);

function run(program: string, environment: Record<string, string>) {
  let log = "";
  const child = spawn(path.join(release, "node_modules/.bin/node"), [program], {
    cwd: release,
    env: { NODE_ENV: "production", PATH: process.env["PATH"], HOME: place, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...asNobody,
  });
  children.push(child);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString();
    });
  }
  return { child, log: () => log };
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await exit;
  }
  return child.exitCode;
}
