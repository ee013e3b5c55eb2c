import { randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/** The prefix of a signing secret (Standard Webhooks); the rest is its bytes in base64. */
export const SECRET_PREFIX = "whsec_";

export function newSigningSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;
}
