import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBlocks } from "#test/scene/guide-blocks.ts";
import { ROOT } from "#db/root.ts";
import { connectFloatdeck, startFloatdeck } from "../testing/index.js";
import type { RunningFloatdeck, TestAccount } from "../testing/index.js";

const exec = promisify(execFile);
const INSTALL = ["install", "--offline", "--no-audit", "--no-fund", "--save-dev"];
/** The packages of a project that tests with Playwright, without network. */
const PACKAGES = ["@playwright/test", "@types/node", "typescript"].map(
  (name) => `${name}@file:${path.join(ROOT, "node_modules", name)}`,
);

let project: string;
/** Where everything that the suite starts keeps its temporary files. */
let temporary: string;

/** An empty project with the checkout, as docs/testing.md says, and the suite that it shows. */
beforeAll(async () => {
  await exec(process.execPath, ["bin/prepare-testing.ts", "--api-only"], { cwd: ROOT });
  project = mkdtempSync(path.join(tmpdir(), "floatdeck-suite-"));
  chmodSync(project, 0o755);
  temporary = path.join(project, "temporary");
  mkdirSync(temporary);
  writeFileSync(path.join(project, "package.json"), '{"name":"suite","private":true}');
  await exec("npm", [...INSTALL, ROOT, ...PACKAGES], { cwd: project });
  const block = readBlocks("testing.md").find(({ use }) => use === "floatdeck.spec.ts");
  writeFileSync(path.join(project, "floatdeck.spec.ts"), block?.text ?? "");
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(...command: [program: string, ...args: string[]]): Promise<string> {
  const [program, ...args] = command;
  const file = path.join(ROOT, "node_modules", program);
  const env = { ...process.env, TMPDIR: temporary, CI: "true" };
  return exec(process.execPath, [file, ...args], { cwd: project, env }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
  );
}

/** The processes that were started with the suite's temporary folder, and what is in it except Playwright's own cache. */
function findLeft(): string[] {
  const processes = globSync("/proc/[0-9]*/environ").filter((file) => {
    try {
      return readFileSync(file, "utf8").split("\0").includes(`TMPDIR=${temporary}`);
    } catch {
      return false;
    }
  });
  return [...processes, ...readdirSync(temporary).filter((name) => name.startsWith("floatdeck"))];
}

describe("the suite of docs/testing.md, in an empty project", () => {
  test("has at most 60 lines, and compiles under strict", async () => {
    const file = path.join(project, "floatdeck.spec.ts");
    expect(readFileSync(file, "utf8").split("\n").length).toBeLessThanOrEqual(60);
    const misspelled = readFileSync(file, "utf8").replace('"card.frozen"', '"card.frozn"');
    writeFileSync(path.join(project, "misspelled.ts"), misspelled);
    const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"];
    const types = ["--types", "node", "--skipLibCheck", "false"];
    // Nothing is wrong but what was misspelled.
    expect(await run("typescript/bin/tsc", ...options, ...types, file, "misspelled.ts")).toMatch(
      /^failed: (?:(?:misspelled\.ts\(| ).*\n)+$/u,
    );
  });

  test.runIf(process.platform === "linux")("passes, and leaves nothing behind", async () => {
    const printed = await run("@playwright/test/cli.js", "test", "--reporter=line");
    expect(printed).toContain("3 passed");
    await expect.poll(findLeft).toEqual([]);
  });

  test.runIf(process.platform === "linux").each(["SIGKILL", "SIGINT"] as const)(
    "leaves nothing behind when %s ends it",
    async (signal) => {
      const suite = await hang();
      expect(findLeft()).not.toEqual([]);
      // The whole group, as Ctrl-C does.
      process.kill(-(suite.pid ?? 0), signal);
      await once(suite, "exit");
      await expect.poll(findLeft).toEqual([]);
    },
  );
});

/** A program that has started a server and never ends by itself. */
async function hang(): Promise<ChildProcess> {
  const program = `import { startFloatdeck } from "floatdeck/testing";
    await startFloatdeck();
    process.stdout.write("started");
    setInterval(() => undefined, 1_000);`;
  writeFileSync(path.join(project, "hang.mjs"), program);
  const suite = spawn(process.execPath, ["hang.mjs"], {
    cwd: project,
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(suite.stdout, "data");
  return suite;
}

describe("a server of the suite's own", () => {
  let floatdeck: RunningFloatdeck;
  let account: TestAccount;

  beforeAll(async () => {
    floatdeck = await startFloatdeck({ settings: { SANDBOX_RATE_LIMIT: "1000" } });
    account = await floatdeck.newAccount({ float: 5_000 });
  });

  afterAll(() => floatdeck.stop());

  test("begins empty, with the settings that the suite chose", async () => {
    expect((await account.client.float.get()).balance).toBe(5_000);
    const { headers } = await fetch(`${floatdeck.baseUrl}/api/cards`, {
      headers: { authorization: `Bearer ${account.apiKey}` },
    });
    expect(headers.get("ratelimit-policy")).toContain("q=");
  });

  test("registers more accounts than one address may", async () => {
    const accounts = await Promise.all(
      Array.from({ length: 25 }, () => floatdeck.newAccount({ float: 0 })),
    );
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(25);
  });

  test("says what arrived instead of the event that a test waits for", async () => {
    const webhooks = await account.receiveWebhooks();
    const { id } = await account.newCard();
    await webhooks.waitFor("card.created", { where: ({ subject }) => subject.id === id });
    await fetch(webhooks.url, { method: "POST", body: "{}" });
    await expect(webhooks.waitFor("card.frozen", { timeoutMs: 50 })).rejects.toThrow(
      new RegExp(
        `^No card.frozen that you wait for arrived within 0.05 s. Arrived: .*card.created \\(card ${id}\\).* Refused, unverified: The header webhook-id is missing.$`,
        "u",
      ),
    );
    await webhooks.close();
    expect((await account.client.account.get()).data.webhook_url).toBeNull();
  });

  test("has no sign-in without pages, which creating a key needs", async () => {
    await expect(account.newKey({ scopes: ["cards:read"] })).rejects.toThrow(
      "call startFloatdeck({ pages: true })",
    );
  });

  test("serves another suite that connects to it", async () => {
    const shared = connectFloatdeck({ baseUrl: `${floatdeck.baseUrl}/api/` });
    const { client } = await shared.newAccount({ float: 700, currency: "EUR" });
    expect(await client.float.get()).toMatchObject({ balance: 700, currency: "EUR" });
    await shared.stop();
  });

  test("does not wait longer for a server than it is told to", async () => {
    await expect(startFloatdeck({ timeout: 10 })).rejects.toThrow(
      "Floatdeck was not ready within 0.01 s (timeout)",
    );
  });

  test("refuses a setting with the server's own sentence", async () => {
    await expect(startFloatdeck({ settings: { SANDBOX_RATE_LIMIT: "many" } })).rejects.toThrow(
      "SANDBOX_RATE_LIMIT must be a whole number",
    );
  });
});
