import { DomainError } from "#lib/base/errors.ts";

/** The scopes an integrator's API key may carry; the others belong to roles or to the card processor. */
export const KEY_SCOPES = [
  "cards:read",
  "cards:write",
  "funds:write",
  "account:read",
  "account:write",
  "transactions:read",
  "webhooks:read",
  "webhooks:write",
  "sandbox:write",
] as const;

/** Everything a credential can be allowed to do. Roles and API keys use the same list. */
export const SCOPES = [
  ...KEY_SCOPES,
  "processor",
  "keys:manage",
  "staff:manage",
  "audit:read",
] as const;

export type Scope = (typeof SCOPES)[number];

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
  /** Present for a signed-in person, absent for a key. */
  staff?: StaffIdentity;
}

/** Who a signed-in person is, and what their session has proved. */
export interface StaffIdentity {
  id: string;
  sessionId: string;
  role: "owner" | "admin" | "operator" | "viewer";
  /** They proved who they are a moment ago. */
  fresh: boolean;
  hasSecondFactor: boolean;
  /** The account requires a second factor and they have none yet. */
  mustEnrol: boolean;
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
export function requireScope(actor: Member | Processor, scope: Scope): void {
  if (!actor.scopes.has(scope)) {
    throw new DomainError("scope_missing", `This needs the scope "${scope}".`);
  }
}

/**
 * Requires a signed-in person.
 * @throws DomainError `scope_missing` for an API key.
 */
export function requireStaff(actor: TenantActor): StaffIdentity {
  if (!actor.staff) {
    throw new DomainError("scope_missing", "This is for signed-in staff; an API key cannot do it.");
  }
  return actor.staff;
}
