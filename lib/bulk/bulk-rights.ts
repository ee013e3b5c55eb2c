import { requireScope } from "#lib/base/require-scope.ts";
import type { Member, Scope } from "#lib/base/actor.ts";
import { DomainError } from "#lib/base/errors.ts";
import type { BulkOperation } from "#lib/bulk/bulk-job.ts";

/** The scope that a job needs: the same as for a single request of its kind. */
export const BULK_SCOPES: Readonly<Record<BulkOperation, Scope>> = {
  freeze: "cards:freeze",
  unfreeze: "cards:freeze",
  close: "cards:write",
  credit: "funds:write",
  debit: "funds:write",
  set_spending_controls: "cards:limits",
};

/** @throws DomainError `scope_missing` naming the scope. */
export function requireBulkScope(caller: Pick<Member, "scopes">, operation: BulkOperation): void {
  requireScope(caller, BULK_SCOPES[operation]);
}

/**
 * Requires a caller who may make at least one kind of job. Checked before the body, which says which kind it is, is
 * read.
 * @throws DomainError `scope_missing` naming the scopes.
 */
export function requireSomeBulkScope({ scopes }: Pick<Member, "scopes">): void {
  const needed = [...new Set(Object.values(BULK_SCOPES))];
  if (!needed.some((scope) => scopes.has(scope))) {
    const named = needed.map((scope) => `"${scope}"`).join(", ");
    throw new DomainError("scope_missing", `This needs one of the scopes ${named}.`);
  }
}
