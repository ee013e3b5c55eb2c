import { randomBytes } from "node:crypto";
import { z } from "zod";

// The shape alone, whatever version and variant: an older client's ids must be accepted, zod's own check refuses some.
const ID_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** A UUID in any letter case, answered in lower case. */
export const idSchema = z
  .string()
  .regex(ID_PATTERN, "This field must be a UUID.")
  .transform((id) => id.toLowerCase());

/** Whether a text has the form of a UUID. */
export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

let lastMs = 0;
let counter = 0;

/**
 * A new UUID version 7 (RFC 9562): 48 bits of milliseconds, then a 12-bit counter that keeps the ids of one process in
 * the order they were made, then 62 random bits.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else {
    counter += 1;
    if (counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const MOMENT_MAX_MS = 2 ** 48 - 1;

/** The smallest id that can have been made at a moment or after it, in milliseconds since 1970. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), MOMENT_MAX_MS).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
