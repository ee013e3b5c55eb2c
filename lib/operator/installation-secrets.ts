import { toSecretChecks } from "#lib/base/seal.ts";

/** What the database stores about its secrets. */
export interface StoredSecrets {
  secretCheck: string;
  earlierSecretChecks: readonly string[];
}

/** How many digits of a secret's check identify it to people. */
const FINGERPRINT_LENGTH = 8;

/** The secrets that stored data may be sealed with, by their checks. */
export function toNeeded({ secretCheck, earlierSecretChecks }: StoredSecrets): string[] {
  return [secretCheck, ...earlierSecretChecks];
}

/** Identifies a secret to people without revealing it. */
export function toFingerprint(secretCheck: string): string {
  return secretCheck.slice(0, FINGERPRINT_LENGTH);
}

/** @throws Error with one sentence when this process lacks a secret that stored data may be sealed with. */
export function requireSecrets(stored: StoredSecrets): void {
  const own = new Set<string>(toSecretChecks());
  const missing = toNeeded(stored).filter((needed) => !own.has(needed));
  if (missing.length > 0) {
    throw new Error(
      `FLOATDECK_SECRET lacks a secret that this database still needs (fingerprint ${missing.map(toFingerprint).join(", ")}): without it, webhook signing secrets and second factors would be unreadable. Add it to the end of the list.`,
    );
  }
}
