import type { Role } from "#lib/access/roles.ts";

/** What can be done with a member of staff, in the order of the menu. */
export const STAFF_ACTS = [
  { id: "role", name: "Change role" },
  { id: "reset", name: "Create password reset link" },
  { id: "sessions", name: "Sign out everywhere" },
  { id: "remove", name: "Remove" },
] as const;

export type StaffAct = (typeof STAFF_ACTS)[number]["id"];

/** A member of staff, as seen by another one. */
export interface Subject {
  id: string;
  name: string;
  personRole: Role;
  /** The role of the person who acts on them. */
  role: Role;
  /** Whether password links are mailed. */
  isMailed: boolean;
  /** The names of the working API keys that they created. */
  keyNames: readonly string[];
}
