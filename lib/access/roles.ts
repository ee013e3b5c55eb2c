import { SCOPES } from "#lib/base/actor.ts";
import type { Scope } from "#lib/base/actor.ts";

/** What a member of staff may be, the most trusted first. */
export const ROLES = ["owner", "admin", "operator", "viewer"] as const;

export type Role = (typeof ROLES)[number];

const VIEWER: readonly Scope[] = [
  "cards:read",
  "account:read",
  "transactions:read",
  "webhooks:read",
  "audit:read",
];
const OPERATOR: readonly Scope[] = [...VIEWER, "cards:write", "funds:write", "sandbox:write"];
const ADMIN: readonly Scope[] = SCOPES.filter((scope) => scope !== "processor");

/** What each role may do, in the scopes that API keys use too. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ADMIN,
  admin: ADMIN,
  operator: OPERATOR,
  viewer: VIEWER,
};

/** What each role is for, in a sentence for people. */
export const ROLE_PURPOSES: Readonly<Record<Role, string>> = {
  owner: "Everything, and who the owners are",
  admin: "Keys, staff and settings, cards and money",
  operator: "Cards and money",
  viewer: "Sees everything but keys and staff, changes nothing",
};

/** Why a role may not do something: null when it may, otherwise a sentence that names who may. */
export function roleDisabledReason(role: Role, scope: Scope): string | null {
  if (ROLE_SCOPES[role].includes(scope)) {
    return null;
  }
  const able = ROLES.filter((other) => ROLE_SCOPES[other].includes(scope));
  return `Your role is ${role}. This takes one of: ${able.join(", ")}.`;
}

/** Whether somebody may give, take or change a role: only owners decide about owners. */
export function canAssign(by: Role, role: Role): boolean {
  return by === "owner" || (by === "admin" && role !== "owner");
}
