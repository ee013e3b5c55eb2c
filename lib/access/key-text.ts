import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = /^fd_(?:test|live)_[0-9A-Za-z]{36}$/u;

/** The SHA-256 of a key, which is stored and looked up in its place. A key has 178 random bits, so it needs no salt. */
export function hashApiKey(key: string): string {
  return hash("sha256", key);
}

/** Whether a string is a key of this environment with a correct checksum. A typo is rejected without a query. */
export function isApiKey(text: string, environment: "sandbox" | "live"): boolean {
  if (!KEY_PATTERN.test(text) || !text.startsWith(toPrefix(environment))) {
    return false;
  }
  return text.slice(-CHECKSUM_LENGTH) === toChecksum(text.slice(0, -CHECKSUM_LENGTH));
}

/** Why a string cannot be a key of this environment; null if it could be one. Repeats nothing of it. */
export function toKeyFault(text: string, environment: "sandbox" | "live"): string | null {
  const other = environment === "live" ? "sandbox" : "live";
  const names = { live: "live installation", sandbox: "sandbox" };
  if (text.startsWith(toPrefix(other))) {
    return `This is the API key of a ${names[other]}; the keys of this ${names[environment]} begin with ${toPrefix(environment)}.`;
  }
  if (text.startsWith("whsec_")) {
    return `This is a signing secret of webhooks; an API key of this ${names[environment]} begins with ${toPrefix(environment)}.`;
  }
  if (!text.startsWith(toPrefix(environment))) {
    return `This is no API key: those of this ${names[environment]} begin with ${toPrefix(environment)}.`;
  }
  return isApiKey(text, environment)
    ? null
    : "This API key is mistyped or incomplete: its last characters do not match the others. Copy it again.";
}

/** A new key of an environment, at random. */
export function newKey(environment: "sandbox" | "live"): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(62))).join(
    "",
  );
  const body = `${toPrefix(environment)}${random}`;
  return `${body}${toChecksum(body)}`;
}

function toPrefix(environment: "sandbox" | "live"): string {
  return environment === "live" ? "fd_live_" : "fd_test_";
}

/** The CRC32 of the preceding characters as six base62 digits, as in GitHub's tokens. */
function toChecksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
