import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import { DomainError } from "#lib/errors.ts";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const RUNNING_MAX = 4;
const WAITING_MAX = 20;

/** Long passwords people really choose; the shorter common ones are refused by length alone. */
const COMMON: ReadonlySet<string> = new Set([
  "123456789012",
  "1234567890123",
  "12345678901234",
  "123456789123",
  "1234567891011",
  "123123123123",
  "111111111111",
  "000000000000",
  "qwertyuiop12",
  "qwertyuiop123",
  "qwerty123456",
  "1q2w3e4r5t6y",
  "1qaz2wsx3edc",
  "password1234",
  "password12345",
  "password123456",
  "passwordpassword",
  "iloveyou1234",
  "administrator",
  "changemechangeme",
  "letmeinletmein",
  "welcome12345",
  "floatdeck1234",
  "floatdeckfloatdeck",
]);

/** A password somebody chooses: 12 to 255 characters, and not one that everybody chooses. */
export const passwordSchema = z
  .string()
  .min(12, "This field must be at least 12 characters long.")
  .max(255, "This field must be at most 255 characters long.")
  .refine(
    (password) => !COMMON.has(password.toLowerCase()),
    "This password is among the most common ones; choose another.",
  );

const derive = promisify(argon2);
let running = 0;
const waiting: (() => void)[] = [];

/**
 * The hash to store, in the PHC string format.
 * @throws DomainError `overloaded` when too many passwords are being hashed already.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveInTurn(password, salt);
  return `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${toUnpadded(salt)}$${toUnpadded(tag)}`;
}

/** Whether a password is the one behind a stored hash, compared in constant time. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [salt, tag] = stored.split("$").slice(-2);
  if (!salt || !tag) {
    throw new Error("A stored password hash is not in the PHC string format.");
  }
  const expected = Buffer.from(tag, "base64");
  const actual = await deriveInTurn(password, Buffer.from(salt, "base64"));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

async function deriveInTurn(password: string, nonce: Buffer): Promise<Buffer> {
  if (running >= RUNNING_MAX) {
    if (waiting.length >= WAITING_MAX) {
      throw new DomainError("overloaded", "Too many sign-ins at once; try again in a moment.");
    }
    // The one that finishes hands its place over, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await derive("argon2id", { message: password, nonce, ...PARAMETERS });
  } finally {
    const next = waiting.shift();
    if (next) {
      next();
    } else {
      running -= 1;
    }
  }
}

function toUnpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/u, "");
}
