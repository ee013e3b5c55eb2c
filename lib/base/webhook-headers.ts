import { z } from "zod";

/** How many headers an endpoint may have. */
export const HEADERS_MAX = 10;

const NAME_MAX = 64;
const VALUE_MAX = 1_024;

/** Shown instead of a header's value, everywhere. */
export const REDACTED = "[redacted]";

/**
 * Whether an endpoint keeps its headers when its URL changes: only on the same host and port, and never from https to
 * http. They may hold a credential that is meant for the old URL.
 */
export function keepsHeaders(before: string, after: string): boolean {
  const [from, to] = [URL.parse(before), URL.parse(after)];
  return from?.host === to?.host && (from?.protocol === to?.protocol || to?.protocol === "https:");
}

/**
 * Headers that frame or route the request, or that we send ourselves. Every `webhook-…` and `proxy-…` is reserved, too.
 */
const RESERVED = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "traceparent",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);

const NAME = `Each name must be 1 to ${NAME_MAX} letters, digits, hyphens, and underscores.`;
const VALUE = `Each value must be 1 to ${VALUE_MAX} visible ASCII characters; spaces may stand between them.`;

const name = z.string().regex(new RegExp(`^[A-Za-z0-9_-]{1,${NAME_MAX}}$`, "u"), NAME);
const value = z
  .string(VALUE)
  .max(VALUE_MAX, VALUE)
  .regex(/^[!-~](?:[ -~]*[!-~])?$/u, VALUE)
  .refine((text) => text !== REDACTED, `"${REDACTED}" stands for a value that is not shown.`);

const RULE = { "x-rule": "Names no header that the server sets itself." };

/** Headers of an endpoint, by name. */
export const webhookHeaders = z.record(name, value).check(requireNames).meta(RULE);

/** A change of an endpoint's headers: null removes one. */
export const webhookHeadersPatch = z.record(name, value.nullable()).check(requireNames).meta(RULE);

function requireNames({
  value: headers,
  issues,
}: z.core.ParsePayload<Readonly<Record<string, unknown>>>): void {
  const names = Object.keys(headers);
  if (names.length > HEADERS_MAX) {
    issues.push({ code: "custom", input: headers, message: TOO_MANY_HEADERS });
  }
  const known = new Set<string>();
  for (const each of names) {
    const fault = findFault(each.toLowerCase(), known);
    if (fault !== null) {
      issues.push({ code: "custom", input: headers, path: [each], message: fault });
    }
  }
}

/** The refusal of more headers than an endpoint may have. */
export const TOO_MANY_HEADERS = `An endpoint may have at most ${HEADERS_MAX} headers.`;

function findFault(each: string, known: Set<string>): string | null {
  if (RESERVED.has(each) || /^(?:webhook|proxy)-/u.test(each)) {
    return "This header cannot be set: it frames the request, says where it goes, or is set by the server.";
  }
  if (known.has(each)) {
    return "This header is named twice; letter case does not matter.";
  }
  known.add(each);
  return null;
}
