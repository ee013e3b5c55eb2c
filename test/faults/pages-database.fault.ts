import { once } from "node:events";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findFreePort } from "#db/postmaster.ts";
import { Browser, waitForPages } from "./browser.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { newClient } from "./load.ts";
import type { Client } from "./load.ts";
import { databaseProcesses, startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";
import { Switchboard } from "./switchboard.ts";

let board: Switchboard;
let rig: Rig;
let client: Client;
let browser: Browser;
/** Undoes what a test did to the database, which would otherwise stay frozen after a failed test. */
let heal: () => void;

beforeEach(async () => {
  heal = () => undefined;
  board = new Switchboard();
  rig = await startRig({ through: board.lay, serves: "pages" });
  client = await newClient(rig);
  await waitForPages(rig.baseUrl);
  browser = new Browser();
  const person = { email: client.email, password: PASSWORD };
  await browser.signIn(person, { form: rig.baseUrl, target: rig.baseUrl });
});

afterEach(async () => {
  heal();
  await rig.stop();
  board.close();
});

const BACK_WITHIN_MS = 10_000;

/** More than a pipe or a socket takes while nobody reads. */
const UNREAD_BYTES = 300_000;
/** A path that the log has in full, so that few requests leave much in it. */
const LONG_PATH = `/cards/${"c".repeat(4_000)}`;
const UNREAD_REQUESTS = 120;
const AT_A_TIME = 60;

/** The requests of a full page load and of a client-side navigation. */
const DOCUMENT = { accept: "text/html,*/*;q=0.8", "accept-encoding": "gzip" };
const NAVIGATION = { accept: "*/*", rsc: "1", "accept-encoding": "gzip" };

test.each([
  [
    "is gone",
    async () => {
      const { appUrl } = rig.database;
      const nowhere = new URL(appUrl);
      nowhere.port = String(await findFreePort());
      board.leadTo(nowhere.href);
      return () => board.leadTo(appUrl);
    },
  ],
  [
    "does not answer",
    async () => {
      const frozen = databaseProcesses(rig);
      signal(frozen, "SIGSTOP");
      return () => signal(frozen, "SIGCONT");
    },
  ],
])("while the database %s, pages answer 503 and say so, and then come back", async (_, hurt) => {
  const paths = ["/overview", `/cards/${client.cardId}`, "/sign-in"];
  heal = await hurt();
  // Whoever signs in meanwhile is told why they cannot, and so is the operator.
  const person = { email: client.email, password: PASSWORD };
  const entering = new Browser().signIn(person, { form: rig.baseUrl, target: rig.baseUrl });
  // Each of these waits for the database as long as a page may, so they wait together.
  await Promise.all([
    ...paths.flatMap((path) => [expectBusyPage(path), expectBusyNavigation(path)]),
    expect(entering).rejects.toThrow("error=database_unavailable"),
  ]);
  expect(findLogged("Somebody could not sign in")).toMatchObject([
    { process: "pages", code: "database_unavailable" },
  ]);
  // The documentation, which says what to do about a 503, needs no database, whoever reads it.
  for (const path of ["/docs/errors", "/docs/api/creditCard"]) {
    expect((await load(path, DOCUMENT)).status).toBe(200);
    expect((await fetch(new URL(path, rig.baseUrl), { headers: DOCUMENT })).status).toBe(200);
  }
  // Each answer has left one line in the log, however many reads of it failed.
  const withheld = findWithheld().map(([level, path]) => `${level} ${path}`);
  expect(withheld.toSorted()).toEqual([...paths, ...paths].map((path) => `40 ${path}`).toSorted());

  heal();
  heal = () => undefined;
  await vi.waitFor(async () => expect((await load("/overview", DOCUMENT)).status).toBe(200), {
    timeout: BACK_WITHIN_MS,
    interval: 200,
  });
  const navigation = await load("/cards", NAVIGATION);
  expect(navigation.headers.get("content-type")).toMatch(/^text\/x-component/u);
  expect(await navigation.text()).toContain("Lin Osei");
  const gone = once(rig.server, "exit");
  rig.server.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
});

async function expectBusyPage(path: string): Promise<void> {
  const page = await load(path, DOCUMENT);
  expect([path, page.status]).toEqual([path, 503]);
  expect(page.headers.get("retry-after")).toMatch(/^\d+$/u);
  expect(page.headers.get("cache-control")).toBe("no-store");
  const text = await page.text();
  expect(text).toContain("The database isn't responding");
  expect(text).toContain('<meta http-equiv="refresh"');
  expect(text).not.toContain("not affected");
}

async function expectBusyNavigation(path: string): Promise<void> {
  const navigation = await load(path, NAVIGATION);
  expect(navigation.headers.get("content-type")).toMatch(/^application\/problem\+json/u);
  expect(await navigation.json()).toMatchObject({ status: 503, code: "database_unavailable" });
}

test("a log that nobody reads stops neither pages nor the API, and loses nothing that there is room for", async () => {
  const { stderr } = rig.server;
  stderr?.pause();
  const nowhere = new URL(rig.database.appUrl);
  nowhere.port = String(await findFreePort());
  board.leadTo(nowhere.href);
  for (let sent = 0; sent < UNREAD_REQUESTS; sent += AT_A_TIME) {
    const loading = Array.from({ length: AT_A_TIME }, () => load(LONG_PATH, DOCUMENT));
    expect(new Set((await Promise.all(loading)).map(({ status }) => status))).toEqual(
      new Set([503]),
    );
    expect((await fetch(`${rig.baseUrl}/health/live`)).status).toBe(200);
  }
  expect(findWithheld()).toEqual([]);
  stderr?.resume();
  await vi.waitFor(() => expect(findWithheld()).toHaveLength(UNREAD_REQUESTS), { timeout: 5_000 });
  expect(rig.log().length).toBeGreaterThan(UNREAD_BYTES);
});

test("a page that fails for another reason is answered with 500, and the log has its reference", async () => {
  const sql = postgres(rig.database.ownerUrl, { max: 1 });
  await sql`alter table transactions rename to transactions_elsewhere`;
  await sql.end();
  const page = await load("/transactions?type=credit", DOCUMENT);
  expect(page.status).toBe(500);
  const { reference } = /digest\W+(?<reference>\d+)/u.exec(await page.text())?.groups ?? {};
  expect(reference).toBeDefined();
  await vi.waitFor(() =>
    expect(findLogged("A page failed.")).toMatchObject([
      { digest: reference, path: "/transactions" },
    ]),
  );
});

/** The pages that the log says were not served, each with its level. */
function findWithheld(): [number, string][] {
  return findLogged("A page was not served").map(({ level, path }) => [level, path]);
}

function findLogged(message: string): { level: number; path: string }[] {
  return rig
    .log()
    .split("\n")
    .filter((line) => line.includes(message))
    .map((line) => JSON.parse(line));
}

/** Next.js redirects a navigation once, to an address that no cache confuses with the page's own. */
async function load(path: string, headers: Record<string, string>): Promise<Response> {
  const answer = await browser.send(new URL(path, rig.baseUrl).href, { headers });
  const location = answer.headers.get("location") ?? "";
  return location.includes("_rsc")
    ? browser.send(new URL(location, rig.baseUrl).href, { headers })
    : answer;
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    process.kill(pid, name);
  }
}
