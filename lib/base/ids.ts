/** Checks the shape only, not the version or variant. Ids of older clients must pass, and zod's own check rejects some. */
export const ID_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** Whether a string has the shape of a UUID. */
export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

/** A reading of the database's clock. Records made at this moment take their time and their ids from it. */
export interface Moment {
  readonly at: Date;
  /** An id that encodes this moment. It sorts after every id this moment has returned before. */
  readonly newId: () => string;
}

const COUNTER_SIZE = 2 ** 14;
const PARTS_PER_MS = 2 ** 12 * COUNTER_SIZE;

/**
 * Creates ids as UUIDv7 (RFC 9562): 48 bits of milliseconds, 12 bits of sub-millisecond fraction, a 14-bit counter, and
 * 48 random bits. A moment is read while the affected rows are locked, from the one clock that all servers share. Ids
 * therefore follow the order of the changes, whichever server creates them. When the counter overflows, it carries into
 * the fraction.
 * @param micros microseconds since 1970, by the database's clock.
 */
export function toMoment(micros: number): Moment {
  const ms = Math.floor(micros / 1_000);
  let part = Math.floor(((micros % 1_000) * 2 ** 12) / 1_000) * COUNTER_SIZE;
  return {
    at: new Date(ms),
    newId: () => {
      const id = toTimedId(ms + Math.floor(part / PARTS_PER_MS), part % PARTS_PER_MS);
      part += 1;
      return id;
    },
  };
}

function toTimedId(ms: number, part: number): string {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(ms / 0x1_0000));
  view.setUint16(4, ms % 0x1_0000);
  view.setUint16(6, 0x7000 | Math.floor(part / COUNTER_SIZE));
  view.setUint16(8, 0x8000 | (part % COUNTER_SIZE));
  bytes.set(takeRandom(6), 10);
  return toText(bytes);
}

/**
 * A random UUID (version 4) for requests, keys, and processes. It encodes no time, so lists cannot be ordered by it.
 * Ids of records come from a `Moment`.
 */
export function newId(): string {
  const bytes = takeRandom(16).slice();
  const view = new DataView(bytes.buffer);
  view.setUint8(6, 0x40 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  return toText(bytes);
}

/** A buffer of random bytes. Generating them one id at a time costs more than everything else about an id. */
const random = new Uint8Array(1_024);
let randomUsed = random.length;

/** The next bytes of the buffer, each used once. The buffer uses Web Crypto because the browser imports this file too. */
function takeRandom(length: number): Uint8Array {
  if (randomUsed + length > random.length) {
    crypto.getRandomValues(random);
    randomUsed = 0;
  }
  randomUsed += length;
  return random.subarray(randomUsed - length, randomUsed);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toText(bytes: Uint8Array): string {
  const hex = (from: number, to: number) => toHex(bytes, from, to);
  return `${hex(0, 4)}-${hex(4, 6)}-${hex(6, 8)}-${hex(8, 10)}-${hex(10, 16)}`;
}

/** A loop, because every record and every logged request gets an id, and joining an array takes seven times as long. */
function toHex(bytes: Uint8Array, from: number, to: number): string {
  let hex = "";
  for (let at = from; at < to; at += 1) {
    hex += HEX[bytes[at] ?? 0];
  }
  return hex;
}

/**
 * An id for a request, as UUIDv7 by this process's clock. Nothing is ordered by it. Its time only tells where in the
 * API log to look for the request.
 */
export function newRequestId(): string {
  return toTimedId(Date.now(), Math.floor(Math.random() * PARTS_PER_MS));
}

/** The time that a UUIDv7 encodes, in milliseconds since 1970; undefined for any other id. */
export function toTimeOfId(id: string): number | undefined {
  const isTimed = isId(id) && id[14] === "7";
  return isTimed ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}

const MOMENT_MAX_MS = 2 ** 48 - 1;

/** The smallest id at a time in milliseconds since 1970. Every record created then or later has a greater id. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), MOMENT_MAX_MS).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
