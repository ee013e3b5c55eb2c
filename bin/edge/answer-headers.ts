import { env } from "#lib/base/env.ts";

/**
 * Headers of every answer, whichever part of the server made it. Lower case, like the headers they are merged
 * with: one name in two spellings would be sent twice.
 */
export function toAnswerHeaders(): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy":
      "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ...(env().publicUrl.startsWith("https://")
      ? { "strict-transport-security": "max-age=31536000; includeSubDomains" }
      : {}),
  };
}
