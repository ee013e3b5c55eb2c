import { expect, test } from "vitest";
import type { Protection } from "#db/connect.ts";
import { readEnv } from "#lib/base/env.ts";
import { judgeTls, judgeVersion } from "./database-checks.ts";
import { judgeDurability } from "./durability-check.ts";
import { checkProxies, judgeDisk } from "./host-checks.ts";
import { judgeSecrets } from "./installation-checks.ts";

/** What no machine of a test has: a full disk, another PostgreSQL, a database elsewhere. */

function judge(host: string, protection: Protection): string {
  return judgeTls(["127.0.0.1", host], protection).status;
}

test("a disk that fills up is a warning first, and then a problem", () => {
  const judged = [10_000, 5_119, 512, 511].map((mib) => judgeDisk(mib * 2 ** 20, ".data").status);
  expect(judged).toEqual(["ok", "warning", "warning", "problem"]);
});

test("an https address without a trusted proxy is a problem: all clients have one address", () => {
  const source = { PUBLIC_URL: "https://cards.example.com" };
  expect(checkProxies(readEnv(source))).toMatchObject({
    status: "problem",
    detail: expect.stringContaining("TRUSTED_PROXIES is 0"),
    action: expect.stringContaining("Set TRUSTED_PROXIES"),
  });
  expect(checkProxies(readEnv({ ...source, TRUSTED_PROXIES: "1" })).status).toBe("ok");
  expect(checkProxies(readEnv({})).status).toBe("ok");
});

test("a live database that may lose what it acknowledged is a problem; a role that may is a warning", () => {
  const safe = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" };
  expect(judgeDurability(safe, "live").status).toBe("ok");
  expect(judgeDurability({ ...safe, synchronous_commit: "remote_apply" }, "live").status).toBe(
    "ok",
  );
  expect(judgeDurability({ ...safe, fsync: "off" }, "sandbox").status).toBe("ok");
  expect(judgeDurability({ ...safe, fsync: "off", full_page_writes: "off" }, "live")).toMatchObject(
    {
      status: "problem",
      detail: expect.stringContaining("fsync = off and full_page_writes = off"),
    },
  );
  expect(judgeDurability({ ...safe, synchronous_commit: "off" }, "live").status).toBe("warning");
});

test("PostgreSQL older than 15 is a problem, and one newer than tested a warning", () => {
  expect([14, 15, 18, 19].map((major) => judgeVersion(major).status)).toEqual([
    "problem",
    "ok",
    "ok",
    "warning",
  ]);
});

test("a connection to another machine has to be encrypted, and its certificate verified", () => {
  expect(judge("::1", "none")).toBe("ok");
  expect(judge("/run/postgresql", "none")).toBe("ok");
  expect(judge("db.example", "none")).toBe("warning");
  expect(judge("db.example", "encrypted")).toBe("warning");
  expect(judge("db.example", "verified")).toBe("ok");
});

test("several secrets are named with whether they are in use, and more than one in use is a warning", () => {
  const [old, fresh] = ["0".repeat(64), "1".repeat(64)];
  const judgeUse = (needed: string[]) =>
    judgeSecrets("They open.", { listed: [old, fresh], needed });
  expect(judgeUse([old])).toMatchObject({
    status: "ok",
    detail:
      "They open. Of those listed, secret 1 (fingerprint 00000000) is in use, secret 2 (fingerprint 11111111) is not in use.",
  });
  expect(judgeUse([fresh, old])).toMatchObject({
    status: "warning",
    action: expect.stringContaining("secret rotate"),
  });
  expect(judgeSecrets("It opens.", { listed: [old], needed: [old] })).toMatchObject({
    status: "ok",
    detail: "It opens.",
  });
});
