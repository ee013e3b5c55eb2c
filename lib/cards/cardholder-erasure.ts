import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { readMoment } from "#lib/base/moment.ts";
import { listOpenCards } from "#lib/cards/cardholder-cards.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import { cardholderCan } from "#lib/cards/cardholder-state.ts";
import {
  lockCardholderWhole,
  recordCardholder,
  writeCardholder,
} from "#lib/cards/internal/cardholder-records.ts";
import { toErasedEmail } from "#lib/record/personal-values.ts";

/** What replaces the details of an erased cardholder. The two names together are `ERASED_NAME`. */
const ERASED = {
  firstName: "Erased",
  lastName: "cardholder",
  phoneNumber: "",
  idType: "",
  idLast4: "",
  address: { city: "", country: "", line1: "", line2: null, state: null, zipCode: null },
  userPhoto: null,
  archived: true,
} satisfies Partial<Cardholder>;

/**
 * Begins to erase a cardholder: their row immediately; `completeErasures` erases everything else. After the commit,
 * none of their personal data can be stored. Transactions that were storing some have committed, because the lock waits
 * for them. A cardholder whose erasure has already begun is returned as is.
 * @throws DomainError `user_not_found`; `user_has_cards`, which names the cards that are not closed.
 */
export async function eraseCardholder(ctx: WriteContext, id: string): Promise<Cardholder> {
  const before = await lockCardholderWhole(ctx, id);
  if (before.erasedAt) {
    return before;
  }
  await refuseOpenCards(ctx, before);
  const { at: erasedAt } = await readMoment(ctx.tx);
  const written = await writeCardholder(ctx, before, {
    ...ERASED,
    email: toErasedEmail(id),
    erasedAt,
  });
  await recordCardholder(ctx, written, {
    event: "user.erased",
    data: {},
    action: "cardholder.erased",
    before: null,
    after: {},
  });
  return written.row;
}

async function refuseOpenCards(ctx: WriteContext, { id, erasedAt }: Cardholder): Promise<void> {
  const open = await listOpenCards(toReadContext(ctx), id);
  const reason = cardholderCan.erase({ erasedAt, hasOpenCards: open.length > 0 });
  if (reason) {
    const cards = open.map(({ last4, status }) => `The card ending in ${last4} is ${status}.`);
    throw new DomainError(reason.code, reason.detail, { cards });
  }
}
