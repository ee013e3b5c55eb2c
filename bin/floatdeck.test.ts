import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { signUp } from "#test/scene/sign-up.ts";
import { buy, capture, eventsOf, holdId } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";
import { runCommand } from "./floatdeck-cli.ts";
import type { CommandExit } from "./floatdeck-cli.ts";

/** Runs an operator's command line against this file's database. */
async function floatdeck(
  line: string,
  environment: Record<string, string> = {},
): Promise<CommandExit> {
  return runCommand(toWords(line), { ...toEnvironment(), ...environment });
}

function toWords(line: string): string[] {
  return line.match(/"[^"]*"|\S+/gu)?.map((word) => word.replaceAll('"', "")) ?? [];
}

function toEnvironment() {
  return {
    DATABASE_URL: testDatabase().url,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
  };
}

const WHO = [
  '--business-name "Quay & Co"',
  '--business-address "1 Quay"',
  "--contact-number +15550100",
  "--country US",
  "--domain quay.example",
  "--first-name Ada",
  "--last-name Winter",
  "--registration-number 12345",
].join(" ");

test("secret rotate says how much was sealed anew, and what is left", async () => {
  const { code, out } = await floatdeck("secret rotate");
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Sealed 0 values anew: webhook signing secrets 0, webhook headers 0, second factors 0, messages 0, stored responses 0\.\nOnly the first secret/u,
  );
  await testDatabase().db.execute(sql`
    insert into processes (id, kind, secret_checks) values (${newId()}, 'worker', array['another'])`);
  const waiting = await floatdeck("secret rotate --json");
  expect(waiting.code).toBe(1);
  expect(JSON.parse(waiting.out)).toMatchObject({ older_secrets_needed: true });
  const { out: text } = await floatdeck("secret rotate");
  expect(text).toContain("The older secrets are still needed by 1 running worker.");
});

describe("integrators", () => {
  test("one is created with a key that works, listed, and its email is used once", async () => {
    const email = `${newId()}@example.com`;
    const made = await floatdeck(`integrator create ${WHO} --email ${email} --currency EUR --json`);
    expect(made).toMatchObject({ code: 0, err: "" });
    const { id, api_key: key, password } = JSON.parse(made.out);
    expect(password).toHaveLength(20);
    expect(await call("GET /card-integrators/me", { key })).toMatchObject({
      status: 200,
      json: { data: { id, business_name: "Quay & Co", float_currencies: ["EUR"] } },
    });
    const listed = await floatdeck("integrator list --json");
    expect(JSON.parse(listed.out)).toContainEqual(
      expect.objectContaining({ id, currency: "EUR", float_balance: 0, suspended_at: null }),
    );
    expect((await floatdeck("integrator list")).out).toContain(`Quay & Co <${email}>`);
    expect(await floatdeck(`integrator create ${WHO} --email ${email}`)).toMatchObject({
      code: 1,
      err: "floatdeck: Email or phone number already exists\n",
    });
  });

  test("a suspended one's cards decline all new purchases until it is resumed", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const held = await holdId(integrator, { cardId: card.id, amount: 10 });
    const suspended = await floatdeck(`integrator suspend ${integrator.id}`);
    expect(suspended).toMatchObject({ code: 0 });
    expect((await floatdeck(`integrator suspend ${integrator.id}`)).out).toBe(suspended.out);
    const me = await call("GET /card-integrators/me", { key: integrator.apiKey });
    expect(me.json).toMatchObject({ data: { suspended_at: expect.any(String) } });
    expect(await buy(integrator, { cardId: card.id, amount: 1 })).toMatchObject({
      transaction: { declineReason: "integrator_suspended" },
    });
    expect(await capture(integrator, held)).toMatchObject({ status: "settled" });
    expect(await floatdeck(`integrator resume ${integrator.id}`)).toMatchObject({ code: 0 });
    expect(await buy(integrator, { cardId: card.id, amount: 1 })).toMatchObject({
      transaction: { status: "settled" },
    });
    const reported = await eventsOf(integrator, integrator.id);
    expect(reported.map(({ event }) => event)).toEqual([
      "integrator.updated",
      "integrator.updated",
    ]);
  });

  test("an unknown one is a clear failure", async () => {
    for (const id of [newId(), "x"]) {
      expect(await floatdeck(`integrator suspend ${id}`)).toEqual({
        code: 1,
        out: "",
        err: "floatdeck: There is no such integrator.\n",
      });
    }
  });
});

async function signedUp(email: string): Promise<string> {
  const { json } = await signUp(email);
  return (json as { data: { id: string } }).data.id;
}

describe("one that signed itself up", () => {
  test("is listed as such until it is vouched for", async () => {
    const email = `${newId()}@example.com`;
    const id = await signedUp(email);
    const line = async () => {
      const { out } = await floatdeck("integrator list");
      return out.split("\n").find((each) => each.startsWith(id));
    };
    expect(await line()).toContain("not vouched for");
    expect(await floatdeck(`integrator vouch ${id}`)).toEqual({
      code: 0,
      out: `Integrator ${id} is vouched for. Your identity provider may sign in: ${email}.\n`,
      err: "",
    });
    expect(await line()).not.toContain("vouched");
    expect(await floatdeck(`integrator vouch ${newId()}`)).toMatchObject({ code: 1 });
  });

  test("does not keep the email from one the operator creates; a reset has to say whose", async () => {
    const email = `${newId()}@example.com`;
    const theirs = await signedUp(email);
    const made = await floatdeck(`integrator create ${WHO} --email ${email} --json`);
    const { id } = JSON.parse(made.out);
    const resetCommand = `staff reset-password --email ${email}`;
    const refused = await floatdeck(resetCommand);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toBe(
      `floatdeck: --integrator: People of two integrators have this email. Specify one: ${id} or ${theirs}.\n`,
    );
    expect(await floatdeck(`integrator vouch ${theirs}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${email} is vouched for at another integrator`),
    });
    for (const of of [id, theirs]) {
      expect(await floatdeck(`${resetCommand} --integrator ${of}`)).toMatchObject({ code: 0 });
      const rows = await testDatabase().db.execute(
        sql`select email from staff_links where integrator_id = ${of}`,
      );
      expect(rows).toEqual([{ email }]);
    }
    expect(await floatdeck(`${resetCommand} --integrator ${newId()}`)).toMatchObject({ code: 1 });
  });
});

describe("processor keys", () => {
  test("one is created, works, is listed without the secret key, and stops working when revoked", async () => {
    const made = await floatdeck('processor-key create --name "Network" --json');
    const { id, key } = JSON.parse(made.out);
    const ask = () => call("POST /processor/funding", { key, body: {} });
    expect((await ask()).status).toBe(422);
    const listed = await floatdeck("processor-key list --json");
    expect(listed.out).not.toContain(key);
    expect(JSON.parse(listed.out)).toContainEqual(
      expect.objectContaining({ id, name: "Network", revokedAt: null }),
    );
    expect(await floatdeck(`processor-key revoke ${id}`)).toMatchObject({ code: 0 });
    expect((await floatdeck("processor-key list")).out).toMatch(/revoked {2}Network/u);
    expect(await floatdeck(`processor-key revoke ${newId()}`)).toMatchObject({ code: 1 });
  });
});

test("a person who can no longer sign in gets a link that works once", async () => {
  const email = `${newId()}@example.com`;
  await floatdeck(`integrator create ${WHO} --email ${email}`);
  const made = await floatdeck(`staff reset-password --email ${email.toUpperCase()} --json`, {
    PUBLIC_URL: "https://cards.example.com",
  });
  expect(made).toMatchObject({ code: 0, err: "" });
  const { link } = JSON.parse(made.out);
  const token = /^https:\/\/cards\.example\.com\/password-reset#(?<token>\S+)$/u.exec(link)
    ?.groups?.["token"];
  const use = () =>
    call("POST /staff/links/reset-password", {
      body: { token, password: "seven new lanterns by night" },
    });
  expect(await use()).toMatchObject({ status: 200, json: { email } });
  expect(await use()).toMatchObject({ status: 404, json: { code: "link_not_found" } });
  expect(await floatdeck("staff reset-password --email nobody@example.com")).toMatchObject({
    code: 1,
    err: "floatdeck: There is no such member of staff.\n",
  });
});

test("in live, no command makes a database and a secret of its own", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "floatdeck-live-"));
  const words = ["integrator", "list"];
  expect(await runCommand(words, { FLOATDECK_ENV: "live", DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    err: expect.stringContaining("DATABASE_URL must be set when FLOATDECK_ENV is live"),
  });
  expect(readdirSync(dataDir)).toEqual([]);
  rmSync(dataDir, { recursive: true });
});

test("the books are verified and reported to balance", async () => {
  expect(await floatdeck("verify")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The books balance/u),
  });
  expect(JSON.parse((await floatdeck("verify --json")).out)).toEqual({
    balanced: true,
    discrepancies: [],
  });
});

describe("input that is not understood exits with 2 and explains the usage", () => {
  test.each([
    ["integrators", /Unknown command "integrators"/u],
    ["integrator remove", /Unknown command "integrator remove"/u],
    ["integrator suspend", /takes one id/u],
    ["integrator list x", /takes no argument/u],
    ["integrator create --email a@example.com", /needs --business-name.*--registration-number/u],
    ["processor-key create --nam x", /--nam/u],
  ])("%s", async (line, message) => {
    const { code, out, err } = await floatdeck(line);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  test("an invalid value is reported by its option, for programs too", async () => {
    const line = `integrator create ${WHO} --email nobody --currency XXXX`;
    const { code, err } = await floatdeck(line);
    expect(code).toBe(1);
    expect(err).toMatch(/--email: .*email address/u);
    expect(err).toMatch(/--currency: .*ISO 4217/u);
    expect(JSON.parse((await floatdeck(`${line} --json`)).err)).toEqual({
      error: expect.stringContaining("--email"),
    });
  });

  test("an unreachable database is reported in one sentence", async () => {
    const url = "postgres://nobody:x@127.0.0.1:41099/none";
    const { code, err } = await floatdeck("integrator list", { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(err).toMatch(/^floatdeck: The database cannot be reached \(.*\)\.\n$/u);
  });
});

test("help exists overall and for each command", async () => {
  const all = await floatdeck("--help");
  expect(all.code).toBe(0);
  for (const name of ["integrator create", "processor-key revoke", "verify"]) {
    expect(all.out).toContain(name);
    const one = await floatdeck(`${name} --help`);
    expect(one).toMatchObject({ code: 0, err: "" });
    expect(one.out).toContain(`-- ${name}`);
  }
  const noun = await floatdeck("integrator --help");
  expect(noun.out).toContain("integrator suspend");
  expect(noun.out).not.toContain("verify");
});

function run(line: string) {
  return promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, "floatdeck.ts"), ...toWords(line)],
    { env: { ...process.env, ...toEnvironment() } },
  );
}

test("as a program it prints the same, on the right stream, with its exit code", async () => {
  expect(await run("verify --json")).toMatchObject({
    stdout: expect.stringContaining('"balanced": true'),
    stderr: "",
  });
  await expect(run("nothing")).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: 'floatdeck: Unknown command "nothing"; see --help.\n',
  });
});
