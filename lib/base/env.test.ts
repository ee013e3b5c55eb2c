import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEnv, requireServable, SECRET_VARIABLES } from "#lib/base/env.ts";

/** What everything in live needs. */
const LIVE = {
  FLOATDECK_ENV: "live",
  FLOATDECK_SECRET: "a secret that only this test run uses",
  DATABASE_URL: "postgres://floatdeck@db.example/floatdeck",
};

describe("the environment", () => {
  test("has a default for every setting, and treats an empty variable as absent", () => {
    expect(readEnv({ PORT: "", FLOATDECK_ENV: "" })).toMatchObject({
      port: 3_000,
      host: "127.0.0.1",
      publicUrl: "http://127.0.0.1:3000",
      databaseUrl: undefined,
      environment: "sandbox",
      cell: 1,
      dataDir: ".data",
    });
  });

  test.each([
    [{ PORT: "abc" }, /^PORT must be a port number, 1 to 65535\.$/u],
    [{ PORT: "70000" }, /^PORT must be/u],
    [{ FLOATDECK_ENV: "prod" }, /^FLOATDECK_ENV must be "sandbox" or "live"\.$/u],
    [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL must be a postgres:\/\/ URL\.$/u],
    [{ DATABASE_URL: "postgres://a@b/c" }, /^FLOATDECK_SECRET must be set/u],
    [{ FLOATDECK_SECRET: "short" }, /^FLOATDECK_SECRET must be at least 32 characters, or/u],
    [
      { FLOATDECK_SECRET: `${"a".repeat(32)},short` },
      /^FLOATDECK_SECRET must be at least 32 characters, or several such secrets separated by commas\.$/u,
    ],
    [
      { FLOATDECK_SECRET: `${"a".repeat(32)}, ${"b".repeat(32)}` },
      /^FLOATDECK_SECRET must list its secrets with commas alone, without spaces\.$/u,
    ],
    [{ PUBLIC_URL: "cards.example.com" }, /^PUBLIC_URL must be an http\(s\) URL/u],
    ...["https://a.example", "a.example:443", "a example", "a.example,", "*.example"].map(
      (ALLOWED_HOSTS): [Record<string, string>, RegExp] => [
        { ALLOWED_HOSTS },
        /^ALLOWED_HOSTS must list host names separated by commas, without ports\.$/u,
      ],
    ),
    [
      { ...LIVE, OPENID_ISSUER: "http://id.example.com" },
      /^OPENID_ISSUER must be an https URL when FLOATDECK_ENV is live\.$/u,
    ],
    [{ OPENID_ISSUER: "id.example.com" }, /^OPENID_ISSUER must be the provider's issuer URL\.$/u],
    ...["-1", "301", "1.5", "long"].map((DRAIN_SECONDS): [Record<string, string>, RegExp] => [
      { DRAIN_SECONDS },
      /^DRAIN_SECONDS must be a whole number of seconds, 0 to 300\.$/u,
    ]),
    ...["203.0.113.7,", "203.0.113.0/33", "hooks.example"].map(
      (WEBHOOK_ADDRESSES): [Record<string, string>, RegExp] => [
        { WEBHOOK_ADDRESSES },
        /^WEBHOOK_ADDRESSES must list IP addresses or CIDR blocks separated by commas\.$/u,
      ],
    ),
    ...["0", "4096", "1.5", "c2"].map((cell): [Record<string, string>, RegExp] => [
      { FLOATDECK_CELL: cell },
      /^FLOATDECK_CELL must be a whole number, 1 to 4095\.$/u,
    ]),
    [{ WORKER: "yes" }, /^WORKER must be "on" or "off"\.$/u],
    [{ METRICS_PORT: "0" }, /^METRICS_PORT must be a port number, 1 to 65535\.$/u],
    [{ METRICS_PORT: "3000" }, /^METRICS_PORT must not be PORT: metrics are served without/u],
    [
      { ...LIVE, WEBHOOK_LOOPBACK: "on" },
      /^WEBHOOK_LOOPBACK must not be on when FLOATDECK_ENV is live\.$/u,
    ],
    ...["0", "101", "1.5", "long"].map((factor): [Record<string, string>, RegExp] => [
      { TIME_LIMIT_FACTOR: factor },
      /^TIME_LIMIT_FACTOR must be a whole number, 1 to 100\.$/u,
    ]),
    [
      { ...LIVE, TIME_LIMIT_FACTOR: "5" },
      /^TIME_LIMIT_FACTOR must not be set when FLOATDECK_ENV is live\.$/u,
    ],
    [
      { ...LIVE, PUBLIC_URL: "http://cards.example.com" },
      /^PUBLIC_URL must be set to an https URL when FLOATDECK_ENV is live\.$/u,
    ],
  ])("rejects %o with one sentence that names the variable", (source, sentence) => {
    expect(() => readEnv(source)).toThrow(sentence);
  });

  test("serves metrics only where METRICS_PORT says, and on loopback unless METRICS_HOST says otherwise", () => {
    expect(readEnv({ METRICS_HOST: "10.0.0.1" }).metrics).toBeUndefined();
    expect(readEnv({ METRICS_PORT: "9464", HOST: "0.0.0.0" }).metrics).toEqual({
      port: 9_464,
      host: "127.0.0.1",
    });
    expect(readEnv({ METRICS_PORT: "9464", METRICS_HOST: "10.0.0.1" }).metrics?.host).toBe(
      "10.0.0.1",
    );
  });

  const openId = {
    OPENID_ISSUER: "https://id.example.com",
    OPENID_CLIENT_ID: "floatdeck",
    OPENID_CLIENT_SECRET: "secret",
  };

  test("configures an identity provider when all three settings are present, and none without them", () => {
    expect(readEnv(openId).openId).toEqual({
      issuer: "https://id.example.com",
      clientId: "floatdeck",
      clientSecret: "secret",
    });
    expect(readEnv({}).openId).toBeUndefined();
    expect(readEnv({ OPENID_ISSUER: "", OPENID_CLIENT_ID: "" }).openId).toBeUndefined();
  });

  test.each(Object.keys(openId))("rejects an identity provider without %s", (missing) => {
    expect(() => readEnv({ ...openId, [missing]: undefined })).toThrow(
      /^OPENID_ISSUER, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET must be set together, or none of them\.$/u,
    );
  });

  test.each(Object.entries(openId))("rejects %s alone", (name, value) => {
    expect(() => readEnv({ [name]: value })).toThrow(/must be set together, or none of them\.$/u);
  });

  const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

  test("traces are on with an endpoint alone, and off when something switches them off", () => {
    expect(readEnv(otlp).traces).toMatchObject({ sampler: "parentbased_always_on" });
    const ownEndpoint = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector/traces" };
    expect(readEnv(ownEndpoint).traces).toBeDefined();
    expect(readEnv({}).traces).toBeUndefined();
    expect(readEnv({ ...otlp, OTEL_SDK_DISABLED: "TRUE" }).traces).toBeUndefined();
    expect(readEnv({ ...otlp, OTEL_TRACES_EXPORTER: "none" }).traces).toBeUndefined();
  });

  test.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "must be an http(s) URL"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", 'must be "http/protobuf"'],
    ["OTEL_TRACES_EXPORTER", "jaeger", 'must be "otlp" or "none"'],
    ["OTEL_TRACES_SAMPLER", "sometimes", "must be one of always_on, always_off, traceidratio"],
    ["OTEL_TRACES_SAMPLER_ARG", "1%", "must be a number, 0 to 1"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5", "must be a number, 0 to 1"],
    ["OTEL_BSP_SCHEDULE_DELAY", "0", "must be a whole number, 1 or more"],
  ])("%s may not be %s", (name, value, sentence) => {
    expect(() => readEnv({ ...otlp, [name]: value })).toThrow(`${name} ${sentence}`);
  });

  test.each([
    [{}, true],
    [{ HOST: "0.0.0.0" }, false],
    [{ PUBLIC_URL: "https://sandbox.example.com" }, false],
    [{ PUBLIC_URL: "https://sandbox.example.com", WEBHOOK_LOOPBACK: "on" }, true],
    [{ TRUSTED_PROXIES: "1" }, false],
    [{ TRUSTED_PROXIES: "1", WEBHOOK_LOOPBACK: "on" }, true],
    [{ WEBHOOK_LOOPBACK: "off" }, false],
    [LIVE, false],
  ])("%o allows notifications to loopback addresses: %s", (source, allowed) => {
    expect(readEnv(source).webhookLoopback).toBe(allowed);
  });

  test("requests may be addressed to the public URL's host, to allowed ones, and in a sandbox to its own machine", () => {
    const source = {
      PUBLIC_URL: "https://cards.Example.com:8443",
      ALLOWED_HOSTS: "A.example, [::2]",
    };
    const named = ["cards.example.com", "a.example", "[::2]"];
    expect([...readEnv({ ...source, ...LIVE }).hosts]).toEqual(named);
    expect([...readEnv(source).hosts]).toEqual(expect.arrayContaining([...named, "localhost"]));
  });

  test("a live server starts with its own database and an https address", () => {
    const live = { ...LIVE, PUBLIC_URL: "https://cards.example.com" };
    expect(() => requireServable(readEnv(live))).not.toThrow();
    expect(() => requireServable(readEnv({}))).not.toThrow();
    expect(() => requireServable(readEnv(LIVE))).toThrow(/^PUBLIC_URL must be set/u);
  });

  test("nothing in live starts with a secret of its own making, whatever it is to do", () => {
    const { DATABASE_URL, ...withoutDatabase } = LIVE;
    expect(() => readEnv(withoutDatabase)).toThrow(/^DATABASE_URL must be set when/u);
    expect(() => readEnv({ FLOATDECK_ENV: "live", DATABASE_URL })).toThrow(
      /^FLOATDECK_SECRET must be set, .* `openssl rand -hex 32` makes one\./u,
    );
  });
});

describe("a mail server", () => {
  test("needs an address that messages come from, and the reverse", () => {
    const both = "SMTP_URL and MAIL_FROM must be set together, or neither of them.";
    expect(() => readEnv({ SMTP_URL: "smtp://mail.example.com" })).toThrow(both);
    expect(() => readEnv({ MAIL_FROM: "cards@example.com" })).toThrow(both);
    expect(() => readEnv({ SMTP_URL: "https://mail.example.com" })).toThrow("SMTP_URL must be an");
    expect(() => readEnv({ MAIL_FROM: "Cards" })).toThrow("MAIL_FROM must be an email address");
  });
});

describe("a secret from a file", () => {
  const SECRET = "s".repeat(32);
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "floatdeck-secrets-"));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  function write(text: string): string {
    const file = path.join(folder, "secret");
    writeFileSync(file, text);
    return file;
  }

  test("is every variable's that holds one", () => {
    expect(SECRET_VARIABLES).toEqual([
      "DATABASE_URL",
      "DATABASE_MIGRATION_URL",
      "DATABASE_LISTEN_URL",
      "FLOATDECK_SECRET",
      "OPENID_CLIENT_SECRET",
      "SMTP_URL",
    ]);
  });

  test.each(["", "\n", "\r\n"])("is what the file holds before its last newline (%j)", (end) => {
    const file = write(`${SECRET}${end}`);
    expect(readEnv({ FLOATDECK_SECRET_FILE: file }).secrets).toEqual([SECRET]);
  });

  test("is held to what the variable allows", () => {
    const file = write("mysql://x");
    expect(() => readEnv({ DATABASE_URL_FILE: file })).toThrow(
      "DATABASE_URL must be a postgres:// URL.",
    );
  });

  test("is not given as a value too", () => {
    const source = { FLOATDECK_SECRET: SECRET, FLOATDECK_SECRET_FILE: write(SECRET) };
    expect(() => readEnv(source)).toThrow(
      /^FLOATDECK_SECRET and FLOATDECK_SECRET_FILE must not both be set\.$/u,
    );
  });

  test("is in a file that can be read and is not empty", () => {
    expect(() => readEnv({ FLOATDECK_SECRET_FILE: "/none" })).toThrow(
      /^FLOATDECK_SECRET_FILE names \/none, which cannot be read\.$/u,
    );
    expect(() => readEnv({ FLOATDECK_SECRET_FILE: write("\n") })).toThrow(
      /^FLOATDECK_SECRET_FILE names \S+\/secret, which is empty\.$/u,
    );
  });
});
