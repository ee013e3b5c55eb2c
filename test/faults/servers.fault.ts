import { execFile } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { seal, SEALED_PREFIX } from "#lib/base/seal.ts";
import { LISTEN_NAME } from "#db/listener.ts";
import { toBundle } from "../../bin/bundle.mjs";
import { Browser, waitForPages } from "./browser.ts";
import { toRegistration } from "#test/scene/people.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

/**
 * Three servers on one database, in the middle of a rotation of the secret: two only open with the new one, and the third
 * seals with it.
 */

const OLD = "a secret for nothing but this test run";
const NEW = "another secret for tests that is long enough";
const PER_SECOND = 30;
const BURST = 2 * PER_SECOND;
const ROOT = path.join(import.meta.dirname, "../..");

let rig: Rig;
let others: { baseUrl: string; server: ChildProcess }[] = [];
let admin: postgres.Sql;
/** All three servers. */
let baseUrls: string[] = [];
let account: { id: string; email: string; password: string; key: string };

beforeAll(async () => {
  rig = await startRig({
    environment: {
      FLOATDECK_SECRET: `${OLD},${NEW}`,
      SANDBOX_RATE_LIMIT: String(PER_SECOND),
    },
    serves: "pages",
  });
  admin = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  const second = await rig.startAnother();
  const third = await rig.startAnother({ FLOATDECK_SECRET: `${NEW},${OLD}` });
  others = [second, third];
  baseUrls = [rig.baseUrl, second.baseUrl, third.baseUrl];
  await Promise.all(baseUrls.map(waitForPages));
  account = await register();
});

afterAll(async () => {
  await admin.end();
  await rig.stop();
});

async function register(): Promise<typeof account> {
  const registration = toRegistration("ada@northwind.example");
  const answer = await fetch(`${rig.baseUrl}/card-integrators/register-integrator`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(registration),
  });
  const { data } = await answer.json();
  return { ...registration, id: data.id, key: data.api_key };
}

function ask(baseUrl: string, key = account.key): Promise<Response> {
  return fetch(`${baseUrl}/card-integrators/me`, { headers: { Authorization: `Bearer ${key}` } });
}

/** How many requests a server says it still accepts; no more than its share of the burst. */
async function remaining(baseUrl: string): Promise<number> {
  const { headers } = await ask(baseUrl);
  expect(headers.get("ratelimit-policy")).toBe(`"default";q=${BURST};w=2`);
  return Number(/r=(?<rest>\d+)/u.exec(headers.get("ratelimit") ?? "")?.groups?.["rest"]);
}

/** Sends requests to these servers in turn, as fast as they answer. @returns how many were accepted. */
async function flood(servers: readonly string[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  let accepted = 0;
  const client = async (baseUrl: string) => {
    while (performance.now() < until) {
      const answer = await ask(baseUrl);
      await answer.text();
      accepted += answer.status === 200 ? 1 : 0;
    }
  };
  await Promise.all([...servers, ...servers].map(client));
  return accepted;
}

test("three servers accept together what one promises, and the share of one that is killed comes back", async () => {
  for (const baseUrl of baseUrls) {
    await expect.poll(() => remaining(baseUrl), { timeout: 15_000 }).toBeLessThan(BURST / 3);
  }
  // Whatever was left of the burst is gone after this, so that only the rate counts.
  await flood(baseUrls, 3_000);
  const started = performance.now();
  const accepted = await flood(baseUrls, 5_000);
  const promised = (PER_SECOND * (performance.now() - started)) / 1_000;
  expect(accepted).toBeGreaterThan(promised * 0.8);
  expect(accepted).toBeLessThan(promised * 1.2);

  const [second, third] = others;
  third?.server.kill("SIGKILL");
  const killed = performance.now();
  await expect
    .poll(() => remaining(rig.baseUrl), { timeout: 20_000, interval: 500 })
    .toBeGreaterThan(BURST / 3);
  expect(performance.now() - killed).toBeLessThan(12_000);
  const replacement = await rig.startAnother({ FLOATDECK_SECRET: `${NEW},${OLD}` });
  await waitForPages(replacement.baseUrl);
  others = [second, replacement].filter((server) => server !== undefined);
  baseUrls = [rig.baseUrl, ...others.map(({ baseUrl }) => baseUrl)];
});

test("a sign-in that begins on one server and ends on another is a session on all of them", async () => {
  for (const form of baseUrls) {
    for (const target of baseUrls) {
      const browser = new Browser();
      await browser.signIn(account, { form, target });
      for (const baseUrl of baseUrls) {
        expect((await browser.send(`${baseUrl}/api-keys`)).status).toBe(200);
      }
    }
  }
});

/** Creates a key, and revokes it on the first server. The last one has it in its cache, and refuses it within a second. */
async function revoke(browser: Browser): Promise<void> {
  const [revoking = "", , using = ""] = baseUrls;
  const created = await browser.send(`${revoking}/api-keys`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "To revoke", scopes: ["account:read"], expires_in_days: 1 }),
  });
  const { data, api_key: key }: { data: { id: string }; api_key: string } = await created.json();
  expect((await ask(using, key)).status).toBe(200);
  const answer = await browser.send(`${revoking}/api-keys/${data.id}`, { method: "DELETE" });
  expect(answer.status).toBe(200);
  await expect
    .poll(async () => (await ask(using, key)).status, { interval: 50, timeout: 1_000 })
    .toBe(401);
}

async function findListeners(): Promise<number[]> {
  const rows = await admin<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = ${LISTEN_NAME} and query ilike 'listen%' and state = 'idle'`;
  return rows.map(({ pid }) => pid);
}

test("a key revoked on one server is refused by another at once, also after the listeners' connections were cut", async () => {
  const browser = new Browser();
  await browser.signIn(account, { form: rig.baseUrl, target: rig.baseUrl });
  await revoke(browser);
  const cut = await findListeners();
  expect(cut).toHaveLength(3);
  await admin`select pg_terminate_backend(pid) from unnest(${cut}::int[]) as pid`;
  await expect
    .poll(async () => (await findListeners()).filter((pid) => !cut.includes(pid)).length)
    .toBe(3);
  await revoke(browser);
});

/** Starts an operator's command with these secrets. */
function start(secrets: string, ...words: string[]) {
  return promisify(execFile)(process.execPath, [toBundle("floatdeck.ts"), ...words], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: rig.database.appUrl,
      FLOATDECK_SECRET: secrets,
      FLOATDECK_ENV: "sandbox",
    },
  });
}

/** Runs an operator's command to its end. @returns what it says. */
async function command(secrets: string, ...words: string[]): Promise<string> {
  const { stdout, stderr } = await start(secrets, ...words).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return `${stdout}${stderr}`;
}

const VALUES = 3_000;

/** Stores sealed responses of the account, and a copy of each as it is now. */
async function storeSealed(): Promise<void> {
  const bodies = Array.from(
    { length: VALUES },
    () => `${SEALED_PREFIX}${seal("an answer", "kept answer", account.id)}`,
  );
  await admin`
    insert into idempotent_requests (integrator_id, key, fingerprint, status, content_type, body, request_id)
    select ${account.id}, 'sealed ' || place, '', 200, '', body, ''
    from unnest(${bodies}::text[]) with ordinality as given (body, place)`;
  await admin`create temporary table before as select key, body from idempotent_requests`;
}

async function countChanged(): Promise<number> {
  const [row] = await admin<{ count: number }[]>`
    select count(*)::int from idempotent_requests r join before b using (key)
    where r.integrator_id = ${account.id} and r.body <> b.body`;
  return row?.count ?? 0;
}

test("a rotation that is killed has lost nothing, and the next one does the rest", async () => {
  await storeSealed();
  const killed = start(`${NEW},${OLD}`, "secret", "rotate");
  const ended = killed.catch((error: { signal: string }) => error.signal);
  await expect.poll(countChanged, { interval: 5, timeout: 30_000 }).toBeGreaterThan(0);
  killed.child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  const done = await countChanged();
  expect(done).toBeLessThan(VALUES);
  expect(await command(`${NEW},${OLD}`, "secret", "rotate")).toContain(
    `stored responses ${VALUES - done}.`,
  );
  expect(await countChanged()).toBe(VALUES);
  vi.stubEnv("FLOATDECK_SECRET", NEW);
  vi.resetModules();
  const { unseal } = await import("#lib/base/seal.ts");
  const rows = await admin<{ body: string }[]>`
    select body from idempotent_requests where integrator_id = ${account.id} and key like 'sealed %'`;
  const texts = rows.map(({ body }) =>
    unseal(body.slice(SEALED_PREFIX.length), "kept answer", account.id),
  );
  expect(texts).toEqual(texts.map(() => "an answer"));
  vi.unstubAllEnvs();
});

test("the rotation ends once no server seals with the old secret, and from then on the new one is enough", async () => {
  expect(await command(NEW, "integrator", "list")).toContain(
    "FLOATDECK_SECRET lacks a secret that this database still needs",
  );
  expect(await command(`${NEW},${OLD}`, "secret", "rotate")).toContain(
    "The older secrets are still needed by 2 running servers.",
  );
  const [second] = others;
  for (const server of [rig.server, second?.server]) {
    if (server) {
      const gone = once(server, "exit");
      server.kill("SIGTERM");
      await gone;
    }
  }
  expect(await command(`${NEW},${OLD}`, "secret", "rotate")).toContain(
    "Only the first secret of FLOATDECK_SECRET is needed now.",
  );
  expect(await command(NEW, "integrator", "list")).toContain("Northwind");
  expect(await command(OLD, "integrator", "list")).toContain("lacks a secret");
  const after = await rig.startAnother({ FLOATDECK_SECRET: NEW });
  expect((await ask(after.baseUrl)).status).toBe(200);
});
