import type { KeptBody, toDetailedRequestResource } from "#lib/record/request-resource.ts";

export type DetailedResource = ReturnType<typeof toDetailedRequestResource>;

const REASONS: Readonly<Record<NonNullable<DetailedResource["bodies"]>, string | null>> = {
  kept: null,
  off: "Bodies aren't kept for this account. An owner or admin can turn them on under Settings > Account.",
  secret: "The bodies of this operation contain secrets and are never kept.",
  limited: "Not kept, because too many requests arrived at once.",
  expired: "Bodies are kept for 7 days.",
};

/** Why a request has no bodies; null if it has. */
export function toAbsence({ bodies }: DetailedResource): string | null {
  return bodies === null ? "This request is older than kept bodies." : REASONS[bodies];
}

const FORMS: Readonly<Record<KeptBody["form"], string | null>> = {
  whole: null,
  redacted: null,
  truncated: "Only the first 8 KiB are kept.",
  malformed: "The body was malformed, so it wasn't kept.",
  unread: "The request was refused before its body was read.",
  none: "No body.",
};

/** What is missing from a kept body, in sentences; null if nothing is. */
export function toGaps({ form, unknown_members: unknown }: KeptBody): string | null {
  const left =
    unknown === 0
      ? null
      : unknown === 1
        ? "1 member that the API doesn't know was left out."
        : `${unknown} members that the API doesn't know were left out.`;
  const gaps = [FORMS[form], left].filter((gap) => gap !== null);
  return gaps.length === 0 ? null : gaps.join(" ");
}

/** Whether any of a body can be shown. */
export function hasBody({ body }: KeptBody): boolean {
  return body !== null;
}
