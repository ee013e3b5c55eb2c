import type { Member, Scope } from "#lib/base/actor.ts";
import { DomainError } from "#lib/base/errors.ts";
import type { BulkOperation } from "#lib/bulk/bulk-job.ts";

/** What a job needs: the same as each of its items by itself. */
const SCOPES: Readonly<Record<BulkOperation, Scope>> = {
  freeze: "cards:freeze",
  unfreeze: "cards:freeze",
  close: "cards:write",
  credit: "funds:write",
  debit: "funds:write",
};

/** @throws DomainError `scope_missing` naming the scope. */
export function requireBulkScope(
  { scopes }: Pick<Member, "scopes">,
  operation: BulkOperation,
): void {
  const scope = SCOPES[operation];
  if (!scopes.has(scope)) {
    throw new DomainError("scope_missing", `This needs the scope "${scope}".`);
  }
}
