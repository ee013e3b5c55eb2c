import { unseal } from "#lib/sealing.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import type { Db } from "#db/client.ts";

/**
 * Requires that this process has the secret with which this database's texts were sealed.
 * @throws Error in one sentence.
 */
export async function requireSameSecret(db: Db): Promise<void> {
  const [row] = await db
    .select({ integratorId: webhookEndpoints.integratorId, secret: webhookEndpoints.secret })
    .from(webhookEndpoints)
    .limit(1);
  if (!row) {
    return;
  }
  try {
    unseal(row.secret, row.integratorId);
  } catch (error) {
    throw new Error(
      "FLOATDECK_SECRET is not the one that the secrets in this database were sealed with; start with that one.",
      { cause: error },
    );
  }
}
