import { hash } from "node:crypto";
import type { Answer } from "#lib/api/wire/answer.ts";

/**
 * Adds a strong entity tag, computed from the representation itself (RFC 9110, 8.8.3). A client that has
 * this representation already gets 304 without a body.
 * @param encoding distinguishes the tags of a representation that is served in several encodings.
 */
export function withEntityTag(answer: Answer, ifNoneMatch: string | null, encoding = ""): Answer {
  const tag = `"${hash("sha256", answer.body, "base64url")}${encoding}"`;
  const headers = { ...answer.headers, ETag: tag };
  return isMatch(ifNoneMatch, tag)
    ? { ...answer, status: 304, body: "", headers }
    : { ...answer, headers };
}

/** The comparison is weak, as the standard demands of If-None-Match (RFC 9110, 13.1.2). */
function isMatch(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) {
    return false;
  }
  const given = ifNoneMatch.split(",").map((each) => each.trim().replace(/^W\//u, ""));
  return given.includes(tag) || ifNoneMatch.trim() === "*";
}
