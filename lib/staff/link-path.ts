/** What a one-time link is for. */
export type LinkKind = "invitation" | "password_reset";

const PAGES: Readonly<Record<LinkKind, string>> = {
  invitation: "/invitation",
  password_reset: "/password-reset",
};

/**
 * The path of a one-time link. The token follows the #, because browsers never send the fragment to a server.
 */
export function toLinkPath(kind: LinkKind, token: string): string {
  return `${PAGES[kind]}#${token}`;
}
