import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { listOpenCards } from "#lib/cards/cardholder-cards.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import {
  lockCardholder,
  recordCardholder,
  refuse,
  shareCardholder,
  writeCardholder,
} from "#lib/cards/internal/cardholder-records.ts";
import { cardholderCan } from "#lib/cards/cardholder-state.ts";

/**
 * Archives a cardholder: they get no new cards until they are unarchived. An archived one is returned as is.
 * @throws DomainError `user_not_found`; `user_has_cards` while any of their cards is not closed.
 */
export async function archiveCardholder(ctx: WriteContext, id: string): Promise<Cardholder> {
  const before = await lockCardholder(ctx, id);
  // Read after the lock: whoever was creating a card has committed, or waits for this lock and is refused.
  const open = await listOpenCards(toReadContext(ctx), id);
  refuse(cardholderCan.archive({ hasOpenCards: open.length > 0 }));
  return changeArchived(ctx, before, true);
}

/**
 * Lets an archived cardholder get cards again. One who is not archived is returned as is.
 * @throws DomainError `user_not_found`, `user_erased`.
 */
export async function unarchiveCardholder(ctx: WriteContext, id: string): Promise<Cardholder> {
  const before = await lockCardholder(ctx, id);
  refuse(cardholderCan.change(before));
  return changeArchived(ctx, before, false);
}

/**
 * The cardholder of a card about to be created. They cannot be archived until the transaction ends.
 * @throws DomainError `user_not_found`, also for another integrator's cardholder; `user_archived`, `user_erased`.
 */
export async function requireCardRecipient(ctx: WriteContext, id: string): Promise<Cardholder> {
  const cardholder = await shareCardholder(ctx, id);
  refuse(cardholderCan.createCard(cardholder));
  return cardholder;
}

async function changeArchived(
  ctx: WriteContext,
  before: Cardholder,
  archived: boolean,
): Promise<Cardholder> {
  if (before.archived === archived) {
    return before;
  }
  const written = await writeCardholder(ctx, before, { archived });
  const verb = archived ? "archived" : "unarchived";
  await recordCardholder(ctx, written, {
    event: `user.${verb}`,
    data: {},
    action: `cardholder.${verb}`,
    before: { archived: before.archived },
    after: { archived },
  });
  return written.row;
}
