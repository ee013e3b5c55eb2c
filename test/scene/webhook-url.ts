import { eq, sql } from "drizzle-orm";
import { lockEndpoint } from "#lib/webhooks/endpoints.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { inTransaction, markCommit } from "#db/transaction.ts";
import { testDatabase } from "#test/database/database.ts";

/** Sets an account's `webhook_url` and nothing else: leaves pending deliveries alone, and records nothing. */
export function setWebhookUrl({ id }: { id: string }, url: string | null): Promise<void> {
  return inTransaction(testDatabase().db, async (tx) => {
    markCommit(tx, sql`exists (select from webhook_endpoints where id = ${id})`);
    await lockEndpoint(tx, id);
    await tx.update(webhookEndpoints).set({ url }).where(eq(webhookEndpoints.integratorId, id));
  });
}
