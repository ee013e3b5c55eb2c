import type { Member, Scope, StaffIdentity, TenantActor } from "#lib/base/actor.ts";
import { isForStaff } from "#lib/base/actor.ts";
import { DomainError } from "#lib/base/errors.ts";

/** @throws DomainError `scope_missing` naming the scope, and whether an integrator's API key can have it. */
export function requireScope({ scopes }: Pick<Member, "scopes">, scope: Scope): void {
  if (!scopes.has(scope)) {
    const whose = isForStaff(scope) ? ", which no API key can have" : "";
    throw new DomainError("scope_missing", `This needs the scope "${scope}"${whose}.`);
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
