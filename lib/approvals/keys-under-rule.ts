import { and, arrayOverlaps, eq, gt, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Scope } from "#lib/base/actor.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { apiKeys, integrators } from "#db/schema/integrators.ts";

/** Scopes with which a key moves funds. */
export const MOVING_SCOPES: readonly Scope[] = ["funds:write", "cards:write", "sandbox:write"];

export function canMove({ scopes }: { scopes: readonly string[] }): boolean {
  return MOVING_SCOPES.some((scope) => scopes.includes(scope));
}

/**
 * The condition for keys under a rule that is not for all keys: keys newer than the rule, except those that two people
 * exempted.
 */
export function isUnderRule(since: Date | typeof integrators.approvalSince): SQL | undefined {
  return and(gt(apiKeys.createdAt, since), isNull(apiKeys.exemptedAt));
}

/**
 * The ids of the keys whose large moves wait for approval until two people exempt them; null unless the account has a
 * rule for newer keys only.
 */
export async function listKeysUnderRule({
  db,
  actor: { integratorId },
}: ReadContext): Promise<ReadonlySet<string> | null> {
  const rows = await db
    .select({ id: apiKeys.id })
    .from(integrators)
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.integratorId, integrators.id),
        arrayOverlaps(apiKeys.scopes, [...MOVING_SCOPES]),
        isUnderRule(integrators.approvalSince),
      ),
    )
    .where(
      and(eq(integrators.id, integratorId), sql`${integrators.approval} @> '{"for_keys": false}'`),
    );
  return rows.length === 0 ? null : new Set(rows.flatMap(({ id }) => id ?? []));
}
