import { describe, expect, test } from "vitest";
import { readEnv, requireServable } from "#lib/base/env.ts";

describe("the environment", () => {
  test("has a default for everything, and an empty variable counts as absent", () => {
    expect(readEnv({ PORT: "", FLOATDECK_ENV: "" })).toMatchObject({
      port: 3_000,
      host: "127.0.0.1",
      publicUrl: "http://127.0.0.1:3000",
      databaseUrl: undefined,
      environment: "sandbox",
      dataDir: ".data",
    });
  });

  test.each([
    [{ PORT: "abc" }, /^PORT must be a port number, 1 to 65535\.$/u],
    [{ PORT: "70000" }, /^PORT must be/u],
    [{ FLOATDECK_ENV: "prod" }, /^FLOATDECK_ENV must be "sandbox" or "live"\.$/u],
    [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL must be a postgres:\/\/ URL\.$/u],
    [{ DATABASE_URL: "postgres://a@b/c" }, /^FLOATDECK_SECRET must be set/u],
    [{ FLOATDECK_SECRET: "short" }, /^FLOATDECK_SECRET must be at least 32 characters\.$/u],
    [{ PUBLIC_URL: "cards.example.com" }, /^PUBLIC_URL must be an http\(s\) URL/u],
    [{ OPENID_ISSUER: "id.example.com" }, /^OPENID_ISSUER must be the provider's issuer URL\.$/u],
    [{ WORKER: "yes" }, /^WORKER must be "on" or "off"\.$/u],
    [
      { FLOATDECK_ENV: "live", WEBHOOK_LOOPBACK: "on" },
      /^WEBHOOK_LOOPBACK must not be on when FLOATDECK_ENV is live\.$/u,
    ],
    [
      { FLOATDECK_ENV: "live", PUBLIC_URL: "http://cards.example.com" },
      /^PUBLIC_URL must be set to an https URL when FLOATDECK_ENV is live\.$/u,
    ],
  ])("%o is refused in one sentence that names it", (source, sentence) => {
    expect(() => readEnv(source)).toThrow(sentence);
  });

  const openId = {
    OPENID_ISSUER: "https://id.example.com",
    OPENID_CLIENT_ID: "floatdeck",
    OPENID_CLIENT_SECRET: "secret",
  };

  test("has an identity provider when all three of its settings are there, and none without any", () => {
    expect(readEnv(openId).openId).toEqual({
      issuer: "https://id.example.com",
      clientId: "floatdeck",
      clientSecret: "secret",
    });
    expect(readEnv({}).openId).toBeUndefined();
    expect(readEnv({ OPENID_ISSUER: "", OPENID_CLIENT_ID: "" }).openId).toBeUndefined();
  });

  test.each(Object.keys(openId))("is refused with an identity provider but no %s", (missing) => {
    expect(() => readEnv({ ...openId, [missing]: undefined })).toThrow(
      /^OPENID_ISSUER, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET must be set together, or none of them\.$/u,
    );
  });

  test.each(Object.entries(openId))("is refused with %s alone", (name, value) => {
    expect(() => readEnv({ [name]: value })).toThrow(/must be set together, or none of them\.$/u);
  });

  test.each([
    [{}, true],
    [{ HOST: "0.0.0.0" }, false],
    [{ PUBLIC_URL: "https://sandbox.example.com" }, false],
    [{ PUBLIC_URL: "https://sandbox.example.com", WEBHOOK_LOOPBACK: "on" }, true],
    [{ TRUSTED_PROXIES: "1" }, false],
    [{ TRUSTED_PROXIES: "1", WEBHOOK_LOOPBACK: "on" }, true],
    [{ WEBHOOK_LOOPBACK: "off" }, false],
    [{ FLOATDECK_ENV: "live" }, false],
  ])("with %o notifications may go to loopback: %s", (source, allowed) => {
    expect(readEnv(source).webhookLoopback).toBe(allowed);
  });

  const live = {
    FLOATDECK_ENV: "live",
    FLOATDECK_SECRET: "a secret for nothing but this test run",
    DATABASE_URL: "postgres://floatdeck@db.example/floatdeck",
    PUBLIC_URL: "https://cards.example.com",
  };

  test("lets a live server start with a database of its own and an https address", () => {
    expect(() => requireServable(readEnv(live))).not.toThrow();
    expect(() => requireServable(readEnv({}))).not.toThrow();
  });

  test.each(["DATABASE_URL", "PUBLIC_URL"])("lets no live server start without %s", (missing) => {
    const settings = readEnv({ ...live, [missing]: undefined });
    expect(() => requireServable(settings)).toThrow(new RegExp(`^${missing} must be set`, "u"));
  });
});
