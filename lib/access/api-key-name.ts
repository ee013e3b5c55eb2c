import { and, eq } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { apiKeys } from "#db/schema/integrators.ts";

/** The name of an API key, and how it ends; undefined for any other id. */
export async function findApiKeyName(
  { db, actor }: ReadContext,
  id: string,
): Promise<string | undefined> {
  const [key] = await db
    .select({ name: apiKeys.name, suffix: apiKeys.suffix })
    .from(apiKeys)
    .where(and(eq(apiKeys.integratorId, actor.integratorId), eq(apiKeys.id, id)));
  return key && `${key.name}, …${key.suffix}`;
}
