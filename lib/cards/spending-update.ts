import { isDeepStrictEqual } from "node:util";
import type { UpdateContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { lockCards, requireCardAccount } from "#lib/cards/card-lock.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { toCardEventData } from "#lib/cards/card-resource.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { cardCan } from "#lib/cards/card-state.ts";
import { toOwnControls } from "#lib/cards/spending-controls.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";
import { requireUnpaused } from "#lib/ledger/accounts.ts";
import { updateSpendingControls as writeControls } from "#lib/ledger/post.ts";
import { insertAudit } from "#lib/record/audit.ts";
import { recordEvents } from "#lib/record/events.ts";
import { pipeline } from "#db/pipeline.ts";

/**
 * Sets a card's own spending controls; `null` makes it follow its account's. The next request that needs the uses of
 * its limits recomputes them. A request that changes nothing leaves no trace.
 * @throws DomainError `card_not_found`, `card_closed`, `clock_advancing`.
 */
export async function updateSpendingControls(
  ctx: UpdateContext<Card>,
  id: string,
  controls: SpendingControls | null,
): Promise<Card> {
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  const { accounts, integrator } = await lockCards(tx, integratorId, [id]);
  requireUnpaused(integrator);
  const account = requireCardAccount(accounts, id);
  const reading = { db: tx, actor };
  const before = await getCard(reading, id);
  ctx.requireSeen?.(before);
  if (!decideControls(before, controls)) {
    return before;
  }
  await writeControls(tx, accounts, { id, spendingControls: controls, limitUses: null, events: 1 });
  const after = await getCard(reading, id);
  await pipeline([
    recordEvents(tx, integrator, {
      subjects: accounts,
      drafts: [
        {
          event: "card.updated",
          subject: { type: "card", id },
          actor: actor.ref,
          requestId: request.id,
          data: toCardEventData(after),
          previous: toControlsResource(before),
        },
      ],
    }),
    insertAudit(tx, accounts, [
      {
        actor: actor.ref,
        request,
        action: "card.updated",
        targetType: "card",
        targetId: id,
        before: { spending_controls: account.spendingControls },
        after: { spending_controls: controls },
      },
    ]),
  ]);
  return after;
}

/**
 * Whether these controls change what a card has.
 * @throws DomainError `card_closed`.
 */
export function decideControls(card: Card, controls: SpendingControls | null): boolean {
  if (isDeepStrictEqual(toOwnControls(card), controls)) {
    return false;
  }
  const refusal = cardCan.limit(card);
  if (refusal) {
    throw new DomainError(refusal.code, refusal.detail);
  }
  return true;
}

function toControlsResource(card: Card) {
  const { spending_controls, spending_controls_source } = toCardEventData(card);
  return { spending_controls, spending_controls_source };
}
