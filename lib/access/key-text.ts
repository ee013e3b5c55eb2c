import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { FIRST_CELL } from "#lib/base/env.ts";
import type { Env } from "#lib/base/env.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** A key names its cell, unless that is the first. */
const KEY_PATTERN = /^fd_(?:test|live)_(?:c(?<cell>[1-9]\d{0,3})_)?[0-9A-Za-z]{36}$/u;
const SHOWN_LENGTH = 4;

type Environment = Env["environment"];
/** The environment and cell whose keys are expected. */
type Place = Pick<Env, "environment" | "cell">;

/**
 * The SHA-256 of a key, which is stored and looked up instead of the key. A key has 178 random bits, so it needs no
 * salt.
 */
export function hashApiKey(key: string): string {
  return hash("sha256", key);
}

/**
 * The cell of a key of this environment; undefined for any other text. The checksum must match, so that a typo is
 * rejected without a query.
 */
export function readCell(text: string, environment: Environment): number | undefined {
  const match = KEY_PATTERN.exec(text);
  if (!match || !text.startsWith(toKind(environment))) {
    return undefined;
  }
  const isWhole = text.slice(-CHECKSUM_LENGTH) === toChecksum(text.slice(0, -CHECKSUM_LENGTH));
  return isWhole ? Number(match.groups?.["cell"] ?? FIRST_CELL) : undefined;
}

/** Why a string cannot be a key of this environment; null if it could be one. The reason never quotes the string. */
export function toKeyFault(text: string, { environment, cell }: Place): string | null {
  const other = environment === "live" ? "sandbox" : "live";
  const names = { live: "live installation", sandbox: "sandbox" };
  const begin = toPrefix({ environment, cell });
  if (text.startsWith(toKind(other))) {
    return `This is the API key of a ${names[other]}; the keys of this ${names[environment]} begin with ${begin}.`;
  }
  if (text.startsWith("whsec_")) {
    return `This is a signing secret of webhooks; an API key of this ${names[environment]} begins with ${begin}.`;
  }
  if (!text.startsWith(toKind(environment))) {
    return `This is no API key: those of this ${names[environment]} begin with ${begin}.`;
  }
  return readCell(text, environment) === undefined
    ? "This API key is mistyped or incomplete: its last characters do not match the others. Copy it again."
    : null;
}

/** A new key of an environment and cell, at random. */
export function newKey(place: Place): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(62))).join(
    "",
  );
  const body = `${toPrefix(place)}${random}`;
  return `${body}${toChecksum(body)}`;
}

/**
 * The parts of a key by which people recognize it: its beginning, with four random characters, and its last four
 * characters.
 */
export function toKeyEnds(key: string): { prefix: string; suffix: string } {
  const hidden = RANDOM_LENGTH + CHECKSUM_LENGTH - SHOWN_LENGTH;
  return { prefix: key.slice(0, -hidden), suffix: key.slice(-SHOWN_LENGTH) };
}

function toPrefix({ environment, cell }: Place): string {
  return `${toKind(environment)}${cell === FIRST_CELL ? "" : `c${cell}_`}`;
}

function toKind(environment: Environment): string {
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
