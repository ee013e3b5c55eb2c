import type { Member, Scope, StaffIdentity, TenantActor } from "#lib/base/actor.ts";
import { DomainError } from "#lib/base/errors.ts";

/** @throws DomainError `scope_missing` naming the scope. */
export function requireScope({ scopes }: Pick<Member, "scopes">, scope: Scope): void {
  if (!scopes.has(scope)) {
    throw new DomainError("scope_missing", `This needs the scope "${scope}".`);
  }
}

/**
 * Requires a signed-in person.
 * @throws DomainError `scope_missing` for an API key.
 */
export function requireStaff(actor: TenantActor): StaffIdentity {
  if (!actor.staff) {
    throw new DomainError("scope_missing", "Only signed-in staff can do this; API keys cannot.");
  }
  return actor.staff;
}
