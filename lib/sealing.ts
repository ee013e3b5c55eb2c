import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "#lib/env.ts";

const ALGORITHM = "aes-256-gcm";
const VERSION = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Encrypts what must be read again later, with a key derived from `FLOATDECK_SECRET`. The owner's id is bound to it, so
 * that a sealed text copied to another owner's row does not open.
 */
export function seal(text: string, ownerId: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key(), iv).setAAD(Buffer.from(ownerId));
  const sealed = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final()]);
  return `${VERSION}.${Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64")}`;
}

/** Whether a text that may be JSON is a sealed one. */
export function isSealed(text: string): boolean {
  return text.startsWith(`${VERSION}.`);
}

/** @throws Error when it was sealed with another secret, for another owner, or has been changed. */
export function unseal(sealed: string, ownerId: string): string {
  const [version, content = ""] = sealed.split(".");
  const bytes = Buffer.from(content, "base64");
  if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) {
    throw new Error("A sealed text is not in a form that this version knows.");
  }
  const decipher = createDecipheriv(ALGORITHM, key(), bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(ownerId))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const opened = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]).toString("utf8");
}

let derived: Buffer | undefined;

function key(): Buffer {
  const { secret } = env();
  if (!secret) {
    throw new Error("FLOATDECK_SECRET is not set, and without it nothing can be sealed.");
  }
  derived ??= Buffer.from(hkdfSync("sha256", secret, "", "floatdeck sealed texts", KEY_BYTES));
  return derived;
}
