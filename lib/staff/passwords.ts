import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { SharedPool } from "#lib/base/shared-pool.ts";

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, parallelism 1. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
/** Per process. A server has two: the pages sign people in; the API confirms passwords and sets new ones. */
const RUNNING_MAX = 2;
const WAITING_MAX = 20;

const derive = promisify(argon2);

const pool = new SharedPool(
  RUNNING_MAX + WAITING_MAX,
  "Too many sign-ins at once; try again in a moment.",
);

const queue: { running: number; waiting: (() => void)[] } = { running: 0, waiting: [] };

/**
 * The hash to store, in the PHC string format.
 * @param asker the network or integrator whose share of the queue the work takes.
 * @throws DomainError `overloaded` when the queue is full and no other asker has more work in it.
 */
export async function hashPassword(password: string, asker: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveQueued(password, { salt, asker });
  return `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${toUnpadded(salt)}$${toUnpadded(tag)}`;
}

/**
 * Whether a password matches a stored hash, compared in constant time.
 * @param asker as for `hashPassword`.
 * @throws DomainError `overloaded`, as `hashPassword`.
 */
export async function verifyPassword(
  password: string,
  { stored, asker }: { stored: string; asker: string },
): Promise<boolean> {
  const [salt, tag] = stored.split("$").slice(-2);
  if (!salt || !tag) {
    throw new Error("A stored password hash is not in the PHC string format.");
  }
  const expected = Buffer.from(tag, "base64");
  const actual = await deriveQueued(password, { salt: Buffer.from(salt, "base64"), asker });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function deriveQueued(
  message: string,
  { salt, asker }: { salt: Buffer; asker: string },
): Promise<Buffer> {
  return pool.hold(asker, async (room) => {
    room.take(1);
    await waitTurn();
    try {
      // A caller that lost its place while it waited has been refused.
      room.signal.throwIfAborted();
      return await derive("argon2id", { message, nonce: salt, ...PARAMETERS });
    } finally {
      endTurn();
    }
  });
}

async function waitTurn(): Promise<void> {
  if (queue.running < RUNNING_MAX) {
    queue.running += 1;
    return;
  }
  await new Promise<void>((resolve) => queue.waiting.push(resolve));
}

/** Hands the turn over, so that the count stays the same, or ends it. */
function endTurn(): void {
  const next = queue.waiting.shift();
  if (next) {
    next();
  } else {
    queue.running -= 1;
  }
}

function toUnpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/u, "");
}
