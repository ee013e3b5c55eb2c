import postgres from "postgres";
import { testDatabase } from "./database.ts";

/** Runs statements as the owner with all checks and triggers disabled, to simulate a bug or a damaged disk. */
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
