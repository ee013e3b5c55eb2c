import { createHmac } from "node:crypto";
import { SECRET_PREFIX } from "#lib/webhooks/signing-secret.ts";

/** What is signed, and with which secrets; the id never changes, the time is that of the try. */
export interface Unsigned {
  id: string;
  at: Date;
  body: string;
  /** The present secret, then the one before it while it still signs. */
  secrets: readonly string[];
}

/** The three headers of Standard Webhooks 1.0.0, with one `v1` signature a secret. */
export function toSignatureHeaders({ id, at, body, secrets }: Unsigned): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1_000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
