import { requireScope } from "#lib/base/actor.ts";
import type { Member, Scope } from "#lib/base/actor.ts";
import type { BulkOperation } from "#lib/bulk/bulk-job.ts";

/** What a job needs: the same as each of its items by itself. */
export const BULK_SCOPES: Readonly<Record<BulkOperation, Scope>> = {
  freeze: "cards:freeze",
  unfreeze: "cards:freeze",
  close: "cards:write",
  credit: "funds:write",
  debit: "funds:write",
};

/** @throws DomainError `scope_missing` naming the scope. */
export function requireBulkScope(caller: Pick<Member, "scopes">, operation: BulkOperation): void {
  requireScope(caller, BULK_SCOPES[operation]);
}
