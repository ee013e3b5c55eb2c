/** The shape alone, whatever version and variant: an older client's ids must be accepted, zod's own check refuses some. */
export const ID_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** Whether a text has the form of a UUID. */
export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

let lastMs = 0;
let counter = 0;

/** Randomness in stock: asking for it costs more than all else about an id. */
const random = new Uint8Array(1_024);
let randomUsed = random.length;

/** The next bytes of the stock, each of which is used once. The Web's own source: the browser imports this file too. */
function takeRandom(length: number): Uint8Array {
  if (randomUsed + length > random.length) {
    crypto.getRandomValues(random);
    randomUsed = 0;
  }
  randomUsed += length;
  return random.subarray(randomUsed - length, randomUsed);
}

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
  const bytes = new Uint8Array(16);
  bytes.set(takeRandom(8), 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(lastMs / 0x1_0000));
  view.setUint16(4, lastMs % 0x1_0000);
  view.setUint16(6, 0x7000 | counter);
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => HEX[byte]).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const MOMENT_MAX_MS = 2 ** 48 - 1;

/** The smallest id that can have been made at a moment or after it, in milliseconds since 1970. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), MOMENT_MAX_MS).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
