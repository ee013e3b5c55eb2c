import { SCOPES } from "#lib/base/actor.ts";
import type { Scope } from "#lib/base/actor.ts";

/** The roles of staff members, the most trusted first. */
export const ROLES = ["owner", "admin", "operator", "viewer"] as const;

export type Role = (typeof ROLES)[number];

const VIEWER: readonly Scope[] = [
  "cards:read",
  "account:read",
  "transactions:read",
  "webhooks:read",
  "audit:read",
];
const OPERATOR: readonly Scope[] = [
  ...VIEWER,
  "cards:write",
  "cards:freeze",
  "cards:limits",
  "funds:write",
  "sandbox:write",
];
const OWNER: readonly Scope[] = SCOPES.filter((scope) => scope !== "processor");
/** Only owners may erase, because erasure is permanent. */
const ADMIN: readonly Scope[] = OWNER.filter((scope) => scope !== "cardholders:erase");

/** The scopes of each role. API keys use the same scopes. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: OWNER,
  admin: ADMIN,
  operator: OPERATOR,
  viewer: VIEWER,
};

/** What each role is for, in words for people. */
export const ROLE_PURPOSES: Readonly<Record<Role, string>> = {
  owner: "Full access, including managing owners",
  admin: "Manages cards, funds, keys, staff, and settings",
  operator: "Manages cards and funds",
  viewer: "Can view everything except keys and staff",
};

const ROLE_LIST = new Intl.ListFormat("en-US");

/** The roles that have a scope, as plural nouns for a sentence: `owners`, `admins`. */
export function listRoles(scope: Scope): string[] {
  return ROLES.filter((role) => ROLE_SCOPES[role].includes(scope)).map((role) => `${role}s`);
}

/** Why a role may not do something: null if it may, otherwise a sentence that lists the roles that may. */
export function roleDisabledReason(role: Role, scope: Scope): string | null {
  if (ROLE_SCOPES[role].includes(scope)) {
    return null;
  }
  return `Only ${ROLE_LIST.format(listRoles(scope))} can do this.`;
}

/** Whether people with a role may approve what others ask for. */
export function canApprove(role: Role): boolean {
  return ROLE_SCOPES[role].includes("funds:approve");
}

/** Whether a person with the role `by` may grant, revoke, or change `role`. Only owners may do so for owners. */
export function canAssign(by: Role, role: Role): boolean {
  return by === "owner" || (by === "admin" && role !== "owner");
}

/**
 * Whether a person with the role `by` may create a password link for somebody with `role`. An admin could use it to
 * sign in as another admin, so only owners may do so for owners and admins.
 */
export function canResetPassword(by: Role, role: Role): boolean {
  return by === "owner" || (by === "admin" && role !== "owner" && role !== "admin");
}
