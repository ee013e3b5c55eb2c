import { OPERATIONS } from "#lib/operations/operations.ts";

const ATTEMPTS: ReadonlyMap<string, string | null> = new Map(
  OPERATIONS.map(({ id, attempt }) => [id, attempt]),
);

/** An operation as an attempt, in words: `freeze {card}`. Undefined for operations that only programs call. */
export function toAttempt(operationId: string | null): string | undefined {
  return ATTEMPTS.get(operationId ?? "") ?? undefined;
}

/** The title of a refused operation: `Refused: freeze this card`. */
export function toRefusedTitle(operationId: string | null, card: string): string | undefined {
  const attempt = toAttempt(operationId);
  return attempt && `Refused: ${attempt.replace("{card}", card)}`;
}
