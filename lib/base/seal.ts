import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "#lib/base/env.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a key is derived for. Text sealed for one purpose cannot be opened for another. */
export type Purpose =
  | "second factor"
  | "session cookie"
  | "known browser"
  | "secret check"
  | "signing secret"
  | "webhook headers"
  | "message"
  | "kept answer";

/** Marks sealed text in a column that also holds plain text. No JSON text starts with it. */
export const SEALED_PREFIX = "sealed ";

/** One value for each secret, in the order in which FLOATDECK_SECRET lists them. */
export type BySecret<T> = readonly [T, ...T[]];

/** Derives one value for each secret from another. */
export function mapBySecret<T, U>(
  [first, ...others]: BySecret<T>,
  toValue: (value: T) => U,
): BySecret<U> {
  return [toValue(first), ...others.map(toValue)];
}

/**
 * A 32-byte key for one purpose from each secret of FLOATDECK_SECRET, derived with HKDF-SHA256 (RFC 5869). The first one
 * seals; all of them open.
 * @throws Error when no secret is set.
 */
export function deriveKeys(purpose: Purpose): BySecret<Buffer> {
  const known = derived.get(purpose);
  if (known) {
    return known;
  }
  const [first, ...others] = env().secrets;
  if (first === undefined) {
    throw new Error("FLOATDECK_SECRET must be set.");
  }
  const keys = mapBySecret([first, ...others], (secret) =>
    Buffer.from(hkdfSync("sha256", secret, "floatdeck", purpose, 32)),
  );
  derived.set(purpose, keys);
  return keys;
}

const derived = new Map<Purpose, BySecret<Buffer>>();

/**
 * Encrypts text for storage with AES-256-GCM, as base64 of nonce, tag, and ciphertext. The owner's id is bound to it, so
 * sealed text copied to another owner's row does not open.
 */
export function seal(text: string, purpose: Purpose, ownerId: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKeys(purpose)[0], nonce);
  cipher.setAAD(Buffer.from(ownerId));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** @throws Error when no secret opens the text: it was sealed for another purpose or owner, or was modified. */
export function unseal(sealed: string, purpose: Purpose, ownerId: string): string {
  return openWithAny(sealed, purpose, ownerId).text;
}

/**
 * Reseals text that an older secret sealed.
 * @returns null when the first secret opens it.
 * @throws Error when no secret opens it.
 */
export function sealAgain(sealed: string, purpose: Purpose, ownerId: string): string | null {
  const { text, place } = openWithAny(sealed, purpose, ownerId);
  return place === 0 ? null : seal(text, purpose, ownerId);
}

/** @returns the text, and the place of its secret in the list. */
function openWithAny(
  sealed: string,
  purpose: Purpose,
  ownerId: string,
): { text: string; place: number } {
  let failure: unknown;
  for (const [place, key] of deriveKeys(purpose).entries()) {
    try {
      return { text: openWith(key, sealed, ownerId), place };
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function openWith(key: Buffer, sealed: string, ownerId: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  // Without an explicit length, Node also accepts a 4-byte tag.
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(ownerId));
  decipher.setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

/** A value for each secret that only the same secret reproduces, and that reveals nothing about the secret. */
export function toSecretChecks(): BySecret<string> {
  return mapBySecret(deriveKeys("secret check"), (key) =>
    createHmac("sha256", key).update("floatdeck").digest("hex"),
  );
}
