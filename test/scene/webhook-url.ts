import { seal } from "#lib/base/seal.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { testDatabase } from "#test/database/database.ts";

/** Sets an account's `webhook_url` and nothing else: leaves pending deliveries alone, and records nothing. */
export async function setWebhookUrl({ id }: { id: string }, url: string | null): Promise<void> {
  await testDatabase()
    .db.insert(webhookEndpoints)
    .values({ id, integratorId: id, url, secret: seal("whsec_AAAA", "signing secret", id) })
    .onConflictDoUpdate({ target: webhookEndpoints.id, set: { url } });
}
