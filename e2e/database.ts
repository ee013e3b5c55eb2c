import { readFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";

/** Locks a table of the server under test exclusively while `work` runs. */
export async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const dataDir = process.env["E2E_DATA_DIR"] ?? "";
  const { ownerPassword }: { ownerPassword: string } = JSON.parse(
    readFileSync(path.join(dataDir, "database.json"), "utf8"),
  );
  const [, , , port] = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split(
    "\n",
  );
  const owner = postgres(
    `postgres://floatdeck_owner:${ownerPassword}@127.0.0.1:${port}/floatdeck`,
    { max: 1 },
  );
  try {
    await owner.begin(async (sql) => {
      await sql`lock table ${sql(table)} in access exclusive mode`;
      await work();
    });
  } finally {
    await owner.end();
  }
}
