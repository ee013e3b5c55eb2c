import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { DomainError } from "#lib/base/errors.ts";

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, parallelism 1. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
/** Per process. A server has two: the pages sign people in; the API confirms passwords and sets new ones. */
const RUNNING_MAX = 2;
const WAITING_MAX = 20;

const derive = promisify(argon2);

const queue: { running: number; waiting: (() => void)[] } = { running: 0, waiting: [] };

/**
 * The hash to store, in the PHC string format.
 * @throws DomainError `overloaded` when too many passwords are already being hashed.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveQueued(password, salt);
  return `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${toUnpadded(salt)}$${toUnpadded(tag)}`;
}

/** Whether a password matches a stored hash, compared in constant time. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [salt, tag] = stored.split("$").slice(-2);
  if (!salt || !tag) {
    throw new Error("A stored password hash is not in the PHC string format.");
  }
  const expected = Buffer.from(tag, "base64");
  const actual = await deriveQueued(password, Buffer.from(salt, "base64"));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

async function deriveQueued(password: string, nonce: Buffer): Promise<Buffer> {
  if (queue.running >= RUNNING_MAX) {
    if (queue.waiting.length >= WAITING_MAX) {
      throw new DomainError("overloaded", "Too many sign-ins at once; try again in a moment.");
    }
    // The finishing hash hands its slot over, so the count stays the same.
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
  } else {
    queue.running += 1;
  }
  try {
    return await derive("argon2id", { message: password, nonce, ...PARAMETERS });
  } finally {
    const next = queue.waiting.shift();
    if (next) {
      next();
    } else {
      queue.running -= 1;
    }
  }
}

function toUnpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/u, "");
}
