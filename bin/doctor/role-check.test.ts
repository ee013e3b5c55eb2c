import postgres from "postgres";
import { expect, test } from "vitest";
import { withDatabase } from "#test/database/database.ts";
import { readEnv } from "#lib/base/env.ts";
import { openDatabase } from "#db/client.ts";
import { checkOwner, checkRole } from "./database-checks.ts";
import type { Finding } from "./finding.ts";

test("a server's role that may create temporary tables is a problem, until it does what the finding says", async () => {
  await withDatabase("migrated", async ({ name, directUrl: url, ownerUrl }) => {
    const opened = openDatabase(url, { max: 1 });
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
    const examine = (): Promise<Finding> =>
      checkRole({ ...opened, url, ownerUrl, settings: readEnv({}) });
    const role = new URL(url).username;
    expect(await examine()).toMatchObject({ status: "ok" });
    for (const grantee of ["public", role]) {
      await owner.unsafe(`grant temporary on database ${name} to ${grantee}`);
      const found = await examine();
      expect(found).toMatchObject({
        status: "problem",
        detail: expect.stringContaining(`The role "${role}" may create temporary tables`),
      });
      const { statement } = /: (?<statement>revoke .*;)$/u.exec(found.action ?? "")?.groups ?? {};
      await owner.unsafe(statement ?? "");
      expect(await examine()).toMatchObject({ status: "ok" });
    }
    await owner.end();
    await opened.close();
  });
});

test("on an empty database, a role that may not create tables is a problem", async () => {
  await withDatabase("nothing", async ({ directUrl: url, ownerUrl }) => {
    const opened = openDatabase(url, { max: 1 });
    const access = { ...opened, url, settings: readEnv({}) };
    expect(await checkOwner({ ...access, ownerUrl: undefined })).toMatchObject({
      status: "problem",
      detail: `The role "${new URL(url).username}" of DATABASE_URL may not create the tables.`,
    });
    expect(await checkOwner({ ...access, ownerUrl })).toMatchObject({ status: "ok" });
    await opened.close();
  });
});
