/** What to do about a body that is not as it arrived. The package has its server's address here. */
export const RAW_BODY = "Pass the raw body: FLOATDECK_URL/docs/client#raw-body";

/**
 * What a signature of Standard Webhooks covers.
 * @throws TypeError for a body that was parsed.
 */
export function toSigned(
  id: string,
  timestamp: string,
  body: string | Uint8Array,
): Promise<ArrayBuffer> {
  // Text and bytes can be cut.
  if (!Object(body).slice) {
    throw new TypeError(`The body was parsed. ${RAW_BODY}`);
  }
  // A copy, because what is shared between threads may change meanwhile.
  return new Blob([`${id}.${timestamp}.`, body.slice()]).arrayBuffer();
}

/** @throws TypeError for what is no signing secret. */
export async function toSigningKey(secret: string): Promise<CryptoKey> {
  const bytes = toBytes(secret.replace(/^whsec_/u, ""));
  if (!bytes?.length) {
    throw new TypeError("The signing secret must be whsec_ and base64.");
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}

/** The bytes that base64 stands for; undefined for any other text. */
export function toBytes(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
