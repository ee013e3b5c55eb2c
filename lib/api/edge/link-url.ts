import { env } from "#lib/base/env.ts";
import { toLinkPath } from "#lib/staff/link-path.ts";
import type { LinkKind } from "#lib/staff/link-path.ts";

/** The URL of a one-time link. */
export function toLinkUrl(
  kind: LinkKind,
  token: string,
  publicUrl: string = env().publicUrl,
): string {
  return `${publicUrl}${toLinkPath(kind, token)}`;
}
