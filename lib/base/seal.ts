import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "#lib/base/env.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a key is derived for. Text sealed for one purpose cannot be opened for another. */
type Purpose =
  | "second factor"
  | "session cookie"
  | "secret check"
  | "signing secret"
  | "kept answer";

/**
 * A 32-byte key for one purpose, derived from FLOATDECK_SECRET with HKDF-SHA256 (RFC 5869).
 * @throws Error when no secret is set.
 */
export function deriveKey(purpose: Purpose): Buffer {
  const { secret } = env();
  if (!secret) {
    throw new Error("FLOATDECK_SECRET must be set.");
  }
  const known = derived.get(purpose);
  if (known) {
    return known;
  }
  const key = Buffer.from(hkdfSync("sha256", secret, "floatdeck", purpose, 32));
  derived.set(purpose, key);
  return key;
}

const derived = new Map<Purpose, Buffer>();

/**
 * Encrypts text for storage with AES-256-GCM, as base64 of nonce, tag, and ciphertext. The owner's id is bound to it, so
 * sealed text copied to another owner's row does not open.
 */
export function seal(text: string, purpose: Purpose, ownerId: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(purpose), nonce);
  cipher.setAAD(Buffer.from(ownerId));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** @throws Error when the text was sealed with another secret, for another purpose or owner, or was modified. */
export function unseal(sealed: string, purpose: Purpose, ownerId: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  // Without an explicit length, Node also accepts a 4-byte tag.
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(purpose), nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(ownerId));
  decipher.setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

/** A value that only the same secret reproduces, and that reveals nothing about the secret. */
export function toSecretCheck(): string {
  return createHmac("sha256", deriveKey("secret check")).update("floatdeck").digest("hex");
}
