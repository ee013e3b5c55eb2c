import { createHash, randomBytes } from "node:crypto";

/** 256 random bits for a cookie, a link, or an inbox's address. For cookies and links, only the hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The SHA-256 of a token, which is stored and looked up instead of the token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
