import postgres from "postgres";
import { testDatabase } from "./database.ts";

/** As the owner with every check and trigger out of the way: what a fault of ours, or of the disk, could leave behind. */
export async function tamper(statement: string): Promise<void> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql.unsafe(statement);
    });
  } finally {
    await owner.end();
  }
}
