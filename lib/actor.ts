import { DomainError } from "#lib/errors.ts";

/** Everything a credential can be allowed to do. Roles and API keys use the same list. */
export const SCOPES = [
  "cards:read",
  "cards:write",
  "funds:write",
  "account:read",
  "account:write",
  "transactions:read",
  "webhooks:read",
  "webhooks:write",
  "sandbox:write",
  "processor",
  "keys:manage",
  "staff:manage",
  "audit:read",
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes an integrator's API key may carry; the others belong to roles or to the card processor. */
export const KEY_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => !["processor", "keys:manage", "staff:manage", "audit:read"].includes(scope),
);

/** How an act is attributed in history, events and the audit log. */
export interface ActorRef {
  type: "api_key" | "staff" | "processor" | "system";
  id: string | null;
  name: string;
}

/** Who acts, and within which integrator; what it may do was decided before. */
export interface TenantActor {
  integratorId: string;
  ref: ActorRef;
}

/** An API key or a member of staff, of exactly one integrator. */
export interface Member extends TenantActor {
  kind: "member";
  scopes: ReadonlySet<Scope>;
}

/** The card network's side; it belongs to no integrator. */
export interface Processor {
  kind: "processor";
  scopes: ReadonlySet<Scope>;
  ref: ActorRef;
}

/**
 * Requires a scope of an actor that has shown a credential.
 * @throws DomainError `scope_missing` naming the scope.
 */
export function authorize(actor: Member | Processor, scope: Scope): void {
  if (!actor.scopes.has(scope)) {
    throw new DomainError("scope_missing", `This needs the scope "${scope}".`);
  }
}
