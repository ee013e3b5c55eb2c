import { toSigned, toSigningKey } from "./signing.ts";

/** The headers of a notification, as Floatdeck signs it, so that a test can call a receiver. */
export async function signWebhook(
  secret: string,
  rawBody: string | Uint8Array,
  { id = crypto.randomUUID(), at = new Date() }: { id?: string; at?: Date } = {},
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = await toSigningKey(secret);
  const signature = await crypto.subtle.sign("HMAC", key, await toSigned(id, timestamp, rawBody));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}
