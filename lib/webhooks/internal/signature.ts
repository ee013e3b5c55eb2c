import { createHmac } from "node:crypto";
import { SECRET_PREFIX } from "#lib/webhooks/internal/signing-secret.ts";

/** What to sign, and with which secrets. The id never changes; the time is that of the attempt. */
export interface Unsigned {
  id: string;
  at: Date;
  body: string;
  /** The current secret, then those rotated out that still sign. */
  secrets: readonly string[];
}

/** The three headers of Standard Webhooks 1.0.0, with one `v1` signature per secret. */
export function toSignatureHeaders({ id, at, body, secrets }: Unsigned): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1_000);
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => `v1,${sign(secret, signed).toString("base64")}`);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

/** The bytes of a signature with one secret. */
export function sign(secret: string, signed: string | Buffer): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return createHmac("sha256", key).update(signed).digest();
}
