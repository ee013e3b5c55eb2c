import type { z } from "zod";
import { OPERATIONS } from "../../client/operations.ts";
import type { CardResource } from "./[id]/acts.ts";
import { ApiProblem, callChange } from "#lib/api/client.ts";
import type { LazyOperation } from "#lib/api/client.ts";
import type { cardSchema } from "#lib/api/contract/card.ts";
import { newId } from "#lib/base/ids.ts";
import type { FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";

export interface WhyFrozen {
  reason: FreezeReason | null;
  comment: string | null;
  level: FreezeLevel;
  until?: string | null;
}

/** The inverse of a change: lift the freeze that was made, or make the lifted freeze again. */
export type Undo = { lift: FreezeLevel } | { freeze: WhyFrozen };

/**
 * Undoes a change of a card's status. Once sent, the request continues even if the page goes away.
 * @throws ApiProblem `card_status_changed` when anybody has changed the status since; OfflineError, or another error
 * when no answer arrives.
 */
export async function undoStatus(changed: CardResource, undo: Undo): Promise<CardResource> {
  const { status_version } = changed;
  return "freeze" in undo
    ? send(OPERATIONS.freezeCard, changed.id, { ...undo.freeze, status_version })
    : send(OPERATIONS.unfreezeCard, changed.id, {
        comment: "Undo of a freeze",
        level: undo.lift,
        status_version,
      });
}

export function isStatusChanged(error: unknown): boolean {
  return error instanceof ApiProblem && error.problem.code === "card_status_changed";
}

/** The part that the bodies of both operations share. */
type Versioned = z.ZodType<unknown, { status_version?: number | null | undefined }>;

function send<Q extends z.ZodType, B extends Versioned>(
  operation: LazyOperation<Q, B, typeof cardSchema>,
  id: string,
  body: z.input<B>,
): Promise<CardResource> {
  const { signal } = new AbortController();
  return callChange(operation, { id, body }, { idempotencyKey: newId(), signal });
}
