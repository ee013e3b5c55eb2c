/** What somebody else must approve. */
export interface Held {
  /** The person who asked, or who made the key that asked. */
  requesterId: string;
  /** What it moves, in minor units; null if it moves nothing. */
  amount: number | null;
  cards: readonly string[];
  /** Members of the request that are fixed at their current values for a later decision. */
  fixed?: Readonly<Record<string, unknown>> | undefined;
}

/** Thrown to roll back a request that somebody else must approve first. The HTTP edge then asks for the approval. */
export class HeldUp extends Error {
  readonly held: Held;

  constructor(held: Held) {
    super("Somebody else must approve this request.");
    this.name = "HeldUp";
    this.held = held;
  }
}
