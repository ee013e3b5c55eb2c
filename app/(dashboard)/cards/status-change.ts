import type { z } from "zod";
import { OPERATIONS } from "../../client/operations.ts";
import type { CardResource } from "./[id]/acts.ts";
import { ApiProblem, callApi, callChange } from "#lib/api/client.ts";
import type { LazyOperation } from "#lib/api/client.ts";
import type { cardSchema } from "#lib/api/contract/resources.ts";
import { newId } from "#lib/base/ids.ts";
import type { FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";

/** A card, with the version of its status that a person saw when they decided. */
export interface SeenCard {
  id: string;
  statusVersion: number;
}

export interface WhyFrozen {
  reason: FreezeReason | null;
  comment: string | null;
  level: FreezeLevel;
  until?: string | null;
}

/** What undoes a change: the freeze that was made is lifted, or the one that was lifted is made again. */
export type Undo = { lift: FreezeLevel } | { freeze: WhyFrozen };

/**
 * The card after a request, and whether that request changed its status. If not, the card already had the requested
 * status.
 */
export interface StatusAnswer {
  card: CardResource;
  isChanged: boolean;
}

/**
 * Freezes a card. Once sent, the request continues even if the page goes away. A card whose status has changed
 * meanwhile is frozen all the same. If somebody else has frozen it, this adds the reason to their freeze, which is then
 * not ours to undo.
 * @throws ApiProblem, OfflineError, or another error when no answer arrives.
 */
export async function freezeSeen(card: SeenCard, why: WhyFrozen): Promise<StatusAnswer> {
  for (let seen = card.statusVersion, wasFrozen = false; ;) {
    try {
      const answer = await send(OPERATIONS.freezeCard, card.id, { ...why, status_version: seen });
      return { card: answer.card, isChanged: answer.isChanged && !wasFrozen };
    } catch (error) {
      if (!isStatusChanged(error)) {
        throw error;
      }
      const now = await callApi(OPERATIONS.getCard, { id: card.id });
      seen = now.status_version;
      wasFrozen = now.status === "frozen";
    }
  }
}

/**
 * Lifts the freeze that a person saw, and no other.
 * @throws ApiProblem `card_status_changed` when it is no longer that freeze, and as `freezeSeen` does.
 */
export async function unfreezeSeen(
  { id, statusVersion }: SeenCard,
  lift: { level: FreezeLevel | undefined; comment: string | null },
): Promise<StatusAnswer> {
  return send(OPERATIONS.unfreezeCard, id, { ...lift, status_version: statusVersion });
}

/** @throws ApiProblem `card_status_changed` when anybody has changed the status since, and as `freezeSeen` does. */
export async function undoStatus(changed: CardResource, undo: Undo): Promise<StatusAnswer> {
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

async function send<Q extends z.ZodType, B extends Versioned>(
  operation: LazyOperation<Q, B, typeof cardSchema>,
  id: string,
  body: z.input<B>,
): Promise<StatusAnswer> {
  const { signal } = new AbortController();
  const card = await callChange(operation, { id, body }, { idempotencyKey: newId(), signal });
  return { card, isChanged: card.status_version !== body.status_version };
}
