import { Turns } from "#lib/base/turns.ts";

/** Shorter bodies are never counted: those of all connections together take no more than the long ones may. */
const LONG_BODY_BYTES = 16_384;

const turns = new Turns(
  "Too many long requests of yours are waiting. Send the next one when some have been answered.",
);

export function isLong(bytes: number): boolean {
  return bytes > LONG_BODY_BYTES;
}

/**
 * Works on a long body once the sender's earlier ones are done. However many are sent at once, they take no more of this process
 * and of the database than one does, so that everybody else's requests go on beside them.
 * @throws DomainError `overloaded` if too many are waiting; what the work throws.
 */
export function inTurn<T>(
  { sender, bytes }: { sender: string; bytes: number },
  work: () => Promise<T>,
): Promise<T> {
  return isLong(bytes) ? turns.take(sender, work) : work();
}
