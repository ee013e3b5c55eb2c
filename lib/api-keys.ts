import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Scope } from "#lib/actor.ts";
import { newId } from "#lib/ids.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = /^fd_(?:test|live)_[0-9A-Za-z]{36}$/u;

/** What a new key is to be. Without an integrator it is the card processor's. */
export interface NewApiKey {
  integratorId: string | null;
  environment: "sandbox" | "live";
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  createdBy: string;
}

/** Makes and stores a key. `key` is in no table and no log: this is the only time it can be shown. */
export async function createApiKey(
  tx: Tx,
  wanted: NewApiKey,
): Promise<{ id: string; key: string }> {
  const key = newKey(wanted.environment);
  const id = newId();
  await tx.insert(apiKeys).values({
    id,
    integratorId: wanted.integratorId,
    name: wanted.name,
    hash: hashApiKey(key),
    prefix: key.slice(0, 12),
    suffix: key.slice(-4),
    scopes: [...wanted.scopes],
    expiresAt: wanted.expiresAt,
    createdBy: wanted.createdBy,
  });
  return { id, key };
}

/** What is stored and looked up in place of a key: its SHA-256, which 178 random bits need no salt for. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Whether a text is a key of this environment with a right checksum; a typo is refused without a look-up. */
export function isApiKey(text: string, environment: "sandbox" | "live"): boolean {
  if (!KEY_PATTERN.test(text) || !text.startsWith(toPrefix(environment))) {
    return false;
  }
  return text.slice(-CHECKSUM_LENGTH) === toChecksum(text.slice(0, -CHECKSUM_LENGTH));
}

function newKey(environment: "sandbox" | "live"): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(62))).join(
    "",
  );
  const body = `${toPrefix(environment)}${random}`;
  return `${body}${toChecksum(body)}`;
}

function toPrefix(environment: "sandbox" | "live"): string {
  return environment === "live" ? "fd_live_" : "fd_test_";
}

/** The CRC32 of what precedes it in six base62 digits, as GitHub's tokens carry it. */
function toChecksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
