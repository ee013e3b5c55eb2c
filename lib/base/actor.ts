/** The scopes an integrator's API key can carry. All others belong to roles or to the card processor. */
export const KEY_SCOPES = [
  "cards:read",
  "cards:write",
  "cards:freeze",
  "cards:lift",
  "cards:limits",
  "cardholders:erase",
  "funds:write",
  "account:read",
  "account:write",
  "transactions:read",
  "webhooks:read",
  "webhooks:write",
  "sandbox:write",
] as const;

/** Every permission a credential can have. Roles and API keys share this list. */
export const SCOPES = [
  ...KEY_SCOPES,
  "processor",
  "funds:approve",
  "keys:manage",
  "staff:manage",
  "audit:read",
] as const;

export type Scope = (typeof SCOPES)[number];

/** Whether an integrator's API key can have a scope. */
export function isGrantable(scope: Scope): boolean {
  return KEY_SCOPES.some((each) => each === scope);
}

/** Whether only signed-in staff can have a scope. */
export function isForStaff(scope: Scope): boolean {
  return scope !== "processor" && !isGrantable(scope);
}

/** Scopes that are part of a wider one. */
const WIDER: Partial<Record<Scope, Scope>> = { "cards:freeze": "cards:write" };

/** The scopes that an API key with these scopes has, including those that are part of wider ones. */
export function toGranted(scopes: readonly string[]): ReadonlySet<Scope> {
  return new Set(
    SCOPES.filter((scope) => scopes.includes(scope) || scopes.includes(WIDER[scope] ?? scope)),
  );
}

/** How an action is attributed in the history, in events, and in the audit log. */
export interface ActorRef {
  type: "api_key" | "staff" | "processor" | "system";
  id: string | null;
  name: string;
}

/** The actor of the operator's commands. */
export const OPERATOR: ActorRef = { type: "system", id: null, name: "Operator" };

/** The actor that ends whatever has reached its deadline. */
export const EXPIRY: ActorRef = { type: "system", id: null, name: "Automatic expiry" };

/** The actor that freezes cards by a setting of the account. */
export const AUTOMATIC_FREEZE: ActorRef = { type: "system", id: null, name: "Automatic freeze" };

/** Who acts, and for which integrator. Authorization has already happened. */
export interface TenantActor {
  integratorId: string;
  ref: ActorRef;
  /** Present for a signed-in person, absent for an API key. */
  staff?: StaffIdentity;
}

/** A signed-in person, and what their session has verified. */
export interface StaffIdentity {
  id: string;
  sessionId: string;
  role: "owner" | "admin" | "operator" | "viewer";
  /** They verified their identity recently. */
  fresh: boolean;
  hasSecondFactor: boolean;
  /** The account requires a second factor, and they have not set one up. */
  mustEnroll: boolean;
}

/** An API key or a staff member. Belongs to exactly one integrator. */
export interface Member extends TenantActor {
  kind: "member";
  scopes: ReadonlySet<Scope>;
}

/** The card network. It belongs to no integrator. */
export interface Processor {
  kind: "processor";
  scopes: ReadonlySet<Scope>;
  ref: ActorRef;
}
