import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "./floatdeck-cli.ts";
import { startMailServer } from "#test/outside/mail-server.ts";
import type { MailServer } from "#test/outside/mail-server.ts";

const LOGIN = { user: "floatdeck", pass: "a mail password" };
const FROM = { MAIL_FROM: "cards@example.com" };

let server: MailServer;

beforeEach(async () => {
  server = await startMailServer({ login: LOGIN });
});

afterEach(() => server.stop());

function toUrl({ user, pass }: typeof LOGIN): string {
  const url = new URL(server.url);
  return `${url.protocol}//${user}:${encodeURIComponent(pass)}@${url.host}${url.search}&requireTLS=true`;
}

async function examine(environment: Record<string, string>) {
  const { out } = await runCommand(["doctor", "--json", "--egress-url", "http://127.0.0.1:1"], {
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    FLOATDECK_SECRET: "a secret for the doctor and nothing else",
    ...environment,
  });
  const checks: { name: string; status: string; detail: string }[] = JSON.parse(out).checks;
  return checks.find(({ name }) => name === "mail");
}

const send = (environment: Record<string, string>) =>
  runCommand(["mail", "test", "--to", "ada@example.com"], environment);

describe("mail test", () => {
  test("sends one message, signed in over TLS", async () => {
    const { code, out } = await send({ SMTP_URL: toUrl(LOGIN), ...FROM });
    expect(out).toContain("The mail server took a message to ada@example.com.");
    expect(code).toBe(0);
    expect(server.received.map(({ to }) => to)).toEqual([["ada@example.com"]]);
  });

  test("says what the mail server answered when it did not", async () => {
    const { code, out } = await send({ SMTP_URL: toUrl({ ...LOGIN, pass: "x" }), ...FROM });
    expect(out).toContain("did not take the message");
    expect(out).toContain("535");
    expect(code).toBe(1);
  });

  test("names the settings that it needs", async () => {
    const { code, err } = await send({});
    expect(err).toContain("SMTP_URL and MAIL_FROM must be set");
    expect(code).toBe(1);
  });
});

describe("doctor", () => {
  test("finds a mail server that takes the credentials", async () => {
    const found = await examine({ SMTP_URL: toUrl(LOGIN), ...FROM });
    expect(found).toMatchObject({ status: "ok" });
    expect(found?.detail).toContain("accepts the credentials");
    expect(server.received).toEqual([]);
  });

  test("finds one that refuses them, one that does not answer, and one whose certificate nobody vouches for", async () => {
    const refused = await examine({ SMTP_URL: toUrl({ ...LOGIN, pass: "x" }), ...FROM });
    expect(refused).toMatchObject({ status: "problem" });
    const silent = await examine({ SMTP_URL: "smtp://127.0.0.1:1", ...FROM });
    expect(silent).toMatchObject({ status: "problem" });
    const strict = toUrl(LOGIN).replace("tls.rejectUnauthorized=false", "x=1");
    const unknown = await examine({ SMTP_URL: strict, ...FROM });
    expect(unknown).toMatchObject({ status: "problem" });
    expect(unknown?.detail).toMatch(/certificate/u);
  });

  test("says that there is none", async () => {
    expect(await examine({})).toMatchObject({ status: "ok" });
  });
});
