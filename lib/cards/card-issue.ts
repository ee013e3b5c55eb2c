import { randomInt } from "node:crypto";
import { recordAudit } from "#lib/record/audit.ts";
import { toIdleDueFrom } from "#lib/cards/idle-due.ts";
import { requireCardRecipient } from "#lib/cards/cardholder-archive.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { DomainError } from "#lib/base/errors.ts";
import { recordEvents, toNewSubject } from "#lib/record/events.ts";
import type { Moment } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { readIntegratorAccounts, requireUnpaused } from "#lib/ledger/accounts.ts";
import type { CardAccount, IntegratorAccounts } from "#lib/ledger/accounts.ts";
import { cards, cardStateChanges } from "#db/schema/cards.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";

/** The card to create. `validityDays` counts from now by the integrator's clock, 1 to 1825. */
export interface NewCard {
  cardholderId: string;
  currency: string;
  designType: string;
  singleUse: boolean;
  validityDays: number;
  metadata: Record<string, string>;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The issuer identification number of every card created here. */
const FIRST_SIX = "222300";

/**
 * Creates an active virtual card with an empty ledger account.
 * @throws DomainError `user_not_found`, `user_archived`, `currency_mismatch`, `clock_advancing`.
 */
export async function createVirtualCard(ctx: WriteContext, input: NewCard): Promise<Card> {
  const { tx, actor } = ctx;
  const integrator = await readIntegratorAccounts(tx, actor.integratorId);
  requireUnpaused(integrator);
  if (input.currency !== integrator.currency) {
    throw new DomainError(
      "currency_mismatch",
      `This account issues cards in ${integrator.currency}; ${input.currency} was requested.`,
      { currency: [`This field must be ${integrator.currency}.`] },
    );
  }
  const cardholder = await requireCardRecipient(ctx, input.cardholderId);
  const cardName = `${cardholder.firstName} ${cardholder.lastName}`;
  return issueCard(ctx, integrator, {
    ...input,
    cardName,
    spendingControls: null,
    replaces: null,
  });
}

/** A card to create, what is printed on it, and the card that it replaces. */
type IssuedCard = Omit<NewCard, "currency"> &
  Pick<Card, "cardName" | "replaces"> &
  Pick<CardAccount, "spendingControls">;

/** Creates a card for a cardholder whom `requireCardRecipient` has accepted. */
export async function issueCard(
  ctx: WriteContext,
  integrator: IntegratorAccounts,
  issued: IssuedCard,
): Promise<Card> {
  const { tx, actor, request } = ctx;
  const moment = await readMoment(tx);
  const id = moment.newId();
  await insertCard(ctx, integrator, { ...issued, id, moment });
  const [card] = await findCards(tx, integrator.integratorId, [id]);
  if (!card) {
    throw new Error(`Card ${id} was created but cannot be read.`);
  }
  await recordEvents(tx, integrator, {
    subjects: toNewSubject(id, moment),
    drafts: [
      {
        event: "card.created",
        subject: { type: "card", id },
        actor: actor.ref,
        requestId: request.id,
        data: toCardResource(card),
      },
    ],
  });
  await recordAudit(tx, integrator.integratorId, [
    {
      actor: actor.ref,
      request,
      action: "card.created",
      targetType: "card",
      targetId: id,
      before: null,
      after: {
        user_id: card.cardholderId,
        last4: card.last4,
        ...(card.replaces !== null && { replaces: card.replaces }),
      },
    },
  ]);
  return card;
}

async function insertCard(
  ctx: WriteContext,
  integrator: IntegratorAccounts,
  card: IssuedCard & { id: string; moment: Moment },
): Promise<void> {
  const { tx, actor, request } = ctx;
  const { integratorId, currency } = integrator;
  const { id, moment, validityDays, cardholderId, cardName, designType } = card;
  await tx.insert(ledgerAccounts).values({
    integratorId,
    id,
    kind: "card",
    rank: 1,
    currency,
    balance: 0,
    held: 0,
    status: "active",
    expiresAt: new Date(toDeadlineTime(integrator, moment.at).getTime() + validityDays * DAY_MS),
    idleDueAt: toIdleDueFrom(integrator, moment.at),
    singleUse: card.singleUse,
    spendingControls: card.spendingControls,
    eventSequence: 1,
    updatedAt: moment.at,
  });
  await tx.insert(cards).values({
    integratorId,
    id,
    currency,
    cardholderId,
    cardName,
    designType,
    singleUse: card.singleUse,
    validityDays,
    metadata: card.metadata,
    replaces: card.replaces,
    firstSix: FIRST_SIX,
    last4: String(randomInt(10_000)).padStart(4, "0"),
    provider: integrator.environment === "sandbox" ? "sandbox" : "processor",
    createdAt: moment.at,
    updatedAt: moment.at,
  });
  await tx.insert(cardStateChanges).values({
    integratorId,
    id: moment.newId(),
    cardId: id,
    fromStatus: null,
    toStatus: "active",
    reason: null,
    actor: actor.ref,
    requestId: request.id,
    createdAt: moment.at,
  });
}
