import { Turns } from "#lib/base/turns.ts";

/** Shorter bodies are never counted: on all connections together, they take no more than long bodies may. */
const LONG_BODY_BYTES = 16_384;

const turns = new Turns(
  "Too many long requests of yours are waiting. Send the next one when some have been answered.",
);

export function isLong(bytes: number): boolean {
  return bytes > LONG_BODY_BYTES;
}

/**
 * Works on a long body once the sender's earlier ones are done. However many a sender sends at once, they take no
 * more of this process and of the database than one does, so that other requests proceed alongside them.
 * @throws DomainError `overloaded` if too many are waiting; whatever the work throws.
 */
export function inTurn<T>(
  { sender, bytes }: { sender: string; bytes: number },
  work: () => Promise<T>,
): Promise<T> {
  return isLong(bytes) ? turns.take(sender, work) : work();
}
