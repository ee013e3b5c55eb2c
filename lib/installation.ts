import { eq } from "drizzle-orm";
import { toSecretCheck } from "#lib/seal.ts";
import { installation } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";

const ROW = "installation";

/**
 * Requires that this server has the secret that what is stored was sealed with; the first start decides which it is.
 * @throws Error in one sentence for people.
 */
export async function requireSameSecret(db: Db): Promise<void> {
  const secretCheck = toSecretCheck();
  await db.insert(installation).values({ id: ROW, secretCheck }).onConflictDoNothing();
  const [row] = await db.select().from(installation).where(eq(installation.id, ROW));
  if (row?.secretCheck !== secretCheck) {
    throw new Error(
      "FLOATDECK_SECRET is not the one that this database was set up with: second factors and sessions could not be read. Start with the first one.",
    );
  }
}
