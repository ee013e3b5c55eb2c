import { expect, test } from "vitest";
import { withDatabase } from "#test/database/database.ts";
import { readEnv } from "#lib/base/env.ts";
import { newId } from "#lib/base/ids.ts";
import { UNREADABLE_ADDRESS } from "#lib/base/ip-address.ts";
import { requireSameInstallation } from "#lib/operator/installation.ts";
import { openDatabase } from "#db/client.ts";
import { apiLog } from "#db/schema/events.ts";
import { runCommand } from "../floatdeck-cli.ts";
import type { NamedFinding } from "./finding.ts";

async function examine(url: string): Promise<NamedFinding | undefined> {
  const { out } = await runCommand(["doctor", "--json", "--egress-url", "http://127.0.0.1:1"], {
    ...process.env,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
    DATABASE_URL: url,
  });
  const { checks }: { checks: NamedFinding[] } = JSON.parse(out);
  return checks.find(({ name }) => name === "addresses");
}

test("clients whose addresses cannot be read are named, for a day", async () => {
  await withDatabase("migrated", async ({ directUrl }) => {
    const { db, close } = openDatabase(directUrl, { max: 1 });
    await requireSameInstallation(db, readEnv({}));
    const log = (address: string, createdAt: Date) =>
      db.insert(apiLog).values({
        id: newId(),
        method: "GET",
        path: "/",
        status: 404,
        durationMs: 1,
        requestId: "r",
        address,
        createdAt,
      });
    await log(UNREADABLE_ADDRESS, new Date(Date.now() - 25 * 3_600_000));
    await log("203.0.113.7", new Date());
    expect(await examine(directUrl)).toMatchObject({ status: "ok" });
    await log(UNREADABLE_ADDRESS, new Date());
    const found = await examine(directUrl);
    await close();
    expect(found).toMatchObject({
      status: "warning",
      detail: expect.stringMatching(/^1 of the newest 1000 requests came without/u),
      action: expect.stringContaining("with or without a port"),
    });
  });
});
