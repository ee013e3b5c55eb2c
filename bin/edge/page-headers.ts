import { randomBytes } from "node:crypto";

/** In `dev`, pages are compiled when they are first requested. */
export type Mode = "production" | "dev";

/**
 * The headers of one page: a policy with a unique nonce, which Next.js reads from the request for its
 * scripts.
 */
export function toPageHeaders(mode: Mode): {
  "content-security-policy": string;
  "referrer-policy": string;
} {
  const nonce = randomBytes(16).toString("base64");
  // React needs eval only in development, to show where an error came from.
  const evaluation = mode === "dev" ? " 'unsafe-eval'" : "";
  const policy = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { "content-security-policy": policy, "referrer-policy": "no-referrer" };
}
