import postgres from "postgres";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { readEnv } from "#lib/base/env.ts";
import { checkConnections } from "./connections-check.ts";

const SESSIONS = 12;
/** More than any database of a test allows. */
const ANY = 1_000_000;

test("who holds the most connections is named when few are left, and nobody while there are enough", async () => {
  const { db, url, ownerUrl } = testDatabase();
  const access = {
    db,
    url,
    ownerUrl: undefined,
    settings: readEnv({}),
    close: () => Promise.resolve(),
  };
  expect(await checkConnections(access, 0)).toMatchObject({
    status: "ok",
    detail: expect.stringMatching(/^PostgreSQL has \d+ connections left\.$/u),
  });
  const held = Array.from({ length: SESSIONS }, () =>
    postgres(ownerUrl, { max: 1, connection: { application_name: "bi-extract" } }),
  );
  await Promise.all(held.map((client) => client`select 1`));
  const { status, detail } = await checkConnections(access, ANY);
  await Promise.all(held.map((client) => client.end()));
  expect(status).toBe("warning");
  expect(detail).toContain(`(bi-extract): ${SESSIONS}`);
});
