import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { withDatabase } from "#test/database/database.ts";
import { runCommand } from "./floatdeck-cli.ts";

const CREATE =
  "integrator create --business-name Quay --business-address Street --contact-number +233200000000 --country GH --domain quay.example --first-name Kim --last-name Osei --registration-number 1";

type Told = Record<"restored_to", string> & { is_beyond: boolean };

test("after a restore every integrator is told once, beyond every cursor that was given, and a moment must be past", async () => {
  await withDatabase("migrated", async ({ directUrl, ownerUrl }) => {
    const settings = {
      FLOATDECK_SECRET: randomBytes(32).toString("hex"),
      DATABASE_URL: directUrl,
      DATABASE_MIGRATION_URL: ownerUrl,
    };
    const floatdeck = (line: string) => runCommand(line.split(" "), settings);
    expect(await floatdeck("restored")).toMatchObject({
      code: 1,
      err: expect.stringContaining("This database has no events"),
    });
    for (const email of ["ada@quay.example", "kim@quay.example"]) {
      expect(await floatdeck(`${CREATE} --email ${email}`)).toMatchObject({ code: 0 });
    }
    for (const moment of ["yesterday", "2026", "2999-01-01T00:00:00Z"]) {
      expect(await floatdeck(`restored --to ${moment}`)).toMatchObject({
        code: 1,
        err: "floatdeck: --to must be a moment of the past, such as 2026-01-31T12:00:00Z.\n",
      });
    }
    expect(await floatdeck("restored --to 2026-01-31T12:00:00Z --json")).toMatchObject({ code: 0 });
    const { db, close } = openDatabase(ownerUrl, { max: 1 });
    const told = await db.execute<Told>(sql`
      select content::json -> 'data' ->> 'restored_to' as restored_to,
        xid::text::bigint > pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000000000 as is_beyond
      from events where event = 'account.restored'`);
    await close();
    expect([...told]).toEqual(
      [1, 2].map(() => ({ restored_to: "2026-01-31T12:00:00.000Z", is_beyond: true })),
    );
  });
});
