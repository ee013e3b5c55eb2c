import { and, eq } from "drizzle-orm";
import { changedKeys, metadataFault, patchMetadata } from "#lib/cards/card-metadata.ts";
import type { Metadata, MetadataPatch } from "#lib/cards/card-metadata.ts";
import { lockCards, requireCardAccount } from "#lib/cards/card-lock.ts";
import { keepCardholder, refuse } from "#lib/cards/internal/cardholder-records.ts";
import { cardholderCan } from "#lib/cards/cardholder-state.ts";
import { requireUnpaused } from "#lib/ledger/accounts.ts";
import { unchangedAccounts } from "#lib/ledger/decide.ts";
import { post } from "#lib/ledger/post.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { toCardEventData } from "#lib/cards/card-resource.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { UpdateContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { insertAudit } from "#lib/record/audit.ts";
import { countEvents, recordEvents } from "#lib/record/events.ts";
import type { EventDraft } from "#lib/record/events.ts";
import { cards } from "#db/schema/cards.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Changes a card's metadata: a value sets its key, null removes it, and all other keys stay. A patch that changes
 * nothing leaves no trace. A closed card can be changed too.
 * @throws DomainError `card_not_found`, `clock_advancing`, `user_erased`; `validation_failed` when the patched metadata
 * would exceed a card's limits.
 */
export async function updateCard(
  ctx: UpdateContext<Card>,
  id: string,
  patch: { metadata: MetadataPatch },
): Promise<Card> {
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  const { accounts, integrator } = await lockCards(tx, integratorId, [id]);
  requireUnpaused(integrator);
  requireCardAccount(accounts, id);
  const before = await getCard(toReadContext(ctx), id);
  ctx.requireSeen?.(before);
  const changed = changedKeys(before.metadata, patch.metadata);
  if (changed.length === 0) {
    return before;
  }
  refuse(cardholderCan.change(await keepCardholder(ctx, before.cardholderId)));
  const metadata = requireMetadata(patchMetadata(before.metadata, patch.metadata));
  const after: Card = { ...before, metadata, updatedAt: accounts.at };
  const draft: EventDraft = {
    event: "card.updated",
    subject: { type: "card", id },
    actor: actor.ref,
    requestId: request.id,
    data: toCardEventData(after),
  };
  const [, stored] = await pipeline([
    post(tx, unchangedAccounts(accounts), countEvents([draft])),
    writeMetadata(tx, after),
    recordEvents(tx, integrator, { subjects: accounts, drafts: [draft] }),
    insertAudit(tx, accounts, [
      {
        actor: actor.ref,
        request,
        action: "card.updated",
        targetType: "card",
        targetId: id,
        before: pick(before.metadata, changed),
        after: pick(metadata, changed),
      },
    ]),
  ]);
  return { ...after, metadata: stored };
}

/** @returns the metadata with its keys in the order in which the database returns them from now on. */
async function writeMetadata(
  tx: Tx,
  { integratorId, id, metadata, updatedAt }: Card,
): Promise<Metadata> {
  const [row] = await tx
    .update(cards)
    .set({ metadata, updatedAt })
    .where(and(eq(cards.integratorId, integratorId), eq(cards.id, id)))
    .returning({ metadata: cards.metadata });
  return row?.metadata ?? metadata;
}

function requireMetadata(metadata: Record<string, string>): Record<string, string> {
  const fault = metadataFault(metadata);
  if (fault !== null) {
    throw new DomainError("validation_failed", "The card's metadata would exceed its limits.", {
      metadata: [fault],
    });
  }
  return metadata;
}

function pick(metadata: Metadata, keys: readonly string[]) {
  const values = new Map(Object.entries(metadata));
  return { metadata: Object.fromEntries(keys.map((key) => [key, values.get(key) ?? null])) };
}
