import { desc, isNotNull } from "drizzle-orm";
import { unseal } from "#lib/base/seal.ts";
import { staff } from "#db/schema/staff.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import type { Db } from "#db/client.ts";

const SAMPLES = 20;

/**
 * Opens the newest sealed values of each kind, up to 20, and keeps none of them.
 * @returns how many were opened, and how many do not open with this process's secret.
 */
export async function openSamples(db: Db): Promise<{ opened: number; refused: number }> {
  const signing = await db
    .select({ sealed: webhookEndpoints.secret, ownerId: webhookEndpoints.id })
    .from(webhookEndpoints)
    .orderBy(desc(webhookEndpoints.id))
    .limit(SAMPLES);
  const headers = await db
    .select({ sealed: webhookEndpoints.headers, ownerId: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(isNotNull(webhookEndpoints.headers))
    .orderBy(desc(webhookEndpoints.id))
    .limit(SAMPLES);
  const factors = await db
    .select({ sealed: staff.totpSecret, ownerId: staff.id })
    .from(staff)
    .where(isNotNull(staff.totpSecret))
    .orderBy(desc(staff.id))
    .limit(SAMPLES);
  const results = [
    ...signing.map(({ sealed, ownerId }) => opens(() => unseal(sealed, "signing secret", ownerId))),
    ...headers.map(({ sealed, ownerId }) =>
      opens(() => unseal(sealed ?? "", "webhook headers", ownerId)),
    ),
    ...factors.map(({ sealed, ownerId }) =>
      opens(() => unseal(sealed ?? "", "second factor", ownerId)),
    ),
  ];
  const opened = results.filter(Boolean).length;
  return { opened, refused: results.length - opened };
}

function opens(open: () => string): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
