import { env } from "#lib/base/env.ts";
import type { StaffLink } from "#lib/staff/staff-links.ts";

const PAGES: Readonly<Record<StaffLink["kind"], string>> = {
  invitation: "/invitation",
  password_reset: "/password-reset",
};

/** Where a one-time link leads. Its token stands behind the #, which browsers send to nobody. */
export function toLinkUrl(
  kind: StaffLink["kind"],
  token: string,
  publicUrl: string = env().publicUrl,
): string {
  return `${publicUrl}${PAGES[kind]}#${token}`;
}
