import { env } from "#lib/base/env.ts";
import type { StaffLink } from "#lib/staff/staff-links.ts";

const PAGES: Readonly<Record<StaffLink["kind"], string>> = {
  invitation: "/invitation",
  password_reset: "/password-reset",
};

/**
 * The URL of a one-time link. The token follows the #, because browsers never send the fragment to
 * a server.
 */
export function toLinkUrl(
  kind: StaffLink["kind"],
  token: string,
  publicUrl: string = env().publicUrl,
): string {
  return `${publicUrl}${PAGES[kind]}#${token}`;
}
