import { hash } from "node:crypto";
import type { Answer } from "#lib/api/wire/answer.ts";
import { DomainError } from "#lib/base/errors.ts";

/**
 * Adds a strong entity tag, computed from the representation itself (RFC 9110, 8.8.3). A client that has
 * this representation already gets 304 without a body.
 * @param encoding distinguishes the tags of a representation that is served in several encodings.
 */
export function withEntityTag(answer: Answer, ifNoneMatch: string | null, encoding = ""): Answer {
  const tag = toTag(answer.body, encoding);
  const headers = { ...answer.headers, ETag: tag };
  return isMatch(ifNoneMatch, tag)
    ? { ...answer, status: 304, body: "", headers }
    : { ...answer, headers };
}

function toTag(body: string, encoding: string): string {
  return `"${hash("sha256", body, "base64url")}${encoding}"`;
}

/** The comparison is weak, as the standard demands of If-None-Match (RFC 9110, 13.1.2). */
function isMatch(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) {
    return false;
  }
  const given = ifNoneMatch.split(",").map((each) => each.trim().replace(/^W\//u, ""));
  return given.includes(tag) || ifNoneMatch.trim() === "*";
}

/** The tags of an `If-Match` header, or `*` for any state. */
export type IfMatch = readonly string[] | "*";

const TAG = /^(?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*"$/u;

/**
 * The precondition of a change (RFC 9110, 13.1.1); null if the caller sent none.
 * @throws DomainError `request_malformed`.
 */
export function readIfMatch({ headers }: Request): IfMatch | null {
  const header = headers.get("if-match");
  if (header === null) {
    return null;
  }
  if (header.trim() === "*") {
    return "*";
  }
  const tags = header.split(",").map((each) => each.trim());
  if (!tags.every((tag) => TAG.test(tag))) {
    throw new DomainError(
      "request_malformed",
      "If-Match must be * or ETags as they were sent, with their quotes, separated by commas.",
    );
  }
  return tags;
}

/**
 * The comparison is strong: a weak tag never matches.
 * @param body the current representation, as a read answers it.
 * @throws DomainError `precondition_failed`.
 */
export function requireMatch(ifMatch: IfMatch, body: unknown): void {
  if (ifMatch === "*" || ifMatch.includes(toTag(JSON.stringify(body), ""))) {
    return;
  }
  throw new DomainError(
    "precondition_failed",
    ifMatch.every((tag) => tag.startsWith("W/"))
      ? "If-Match has only weak ETags, which never match. Send an ETag as this server sent it, without W/."
      : "This has changed since you read it, so nothing was changed now. Read it again, and if you still want the change, repeat it with the new ETag.",
  );
}
