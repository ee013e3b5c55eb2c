import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { readEnv } from "#lib/base/env.ts";
import { requireSameInstallation } from "#lib/operator/installation.ts";
import { checkEndpoints } from "./installation-checks.ts";

async function examine(): ReturnType<typeof checkEndpoints> {
  const { db, url } = testDatabase();
  await requireSameInstallation(db, readEnv({}));
  return checkEndpoints({ db, url, ownerUrl: url, settings: readEnv({}), close: async () => {} });
}

/** An account whose URL was saved when no port was judged. */
async function newAccountAt(url: string, lastSuccessAt: Date | null = null): Promise<string> {
  const { id, apiKey: key } = await newIntegrator();
  const body = { webhook_url: "https://1.1.1.1/" };
  expect((await call("PATCH /card-integrators/update", { key, body })).status).toBe(200);
  await testDatabase().db.execute(sql`
    update webhook_endpoints set url = ${url}, last_success_at = ${lastSuccessAt?.toISOString() ?? null}
    where id = ${id}`);
  return id;
}

test("endpoints on a port of another protocol are named, and whether they are sent to", async () => {
  await newAccountAt("https://good.example:8443/hooks");
  expect(await examine()).toMatchObject({ status: "ok" });
  const used = await newAccountAt("https://used.example:6667/hooks", new Date());
  const unused = await newAccountAt("https://unused.example:25/hooks");
  const found = await examine();
  expect(found.status).toBe("warning");
  expect(found.detail).toContain(`used.example:6667 of ${used}`);
  expect(found.detail).toContain(`unused.example:25 of ${unused}, which is not sent to`);
  expect(found.detail).not.toContain("good.example");
});
