/** A change that takes effect once somebody else has approved it. */
export class ApprovalNeeded extends Error {
  readonly approvalId: string;

  constructor(approvalId: string) {
    super("Somebody else must approve this first.");
    this.name = "ApprovalNeeded";
    this.approvalId = approvalId;
  }
}

/** @throws ApprovalNeeded for the answer of a change that waits for somebody's approval. */
export function requireTakenEffect(answer: unknown): void {
  const { approval } = Object(Object(answer).data);
  const { id } = Object(approval);
  if (typeof id === "string") {
    throw new ApprovalNeeded(id);
  }
}
