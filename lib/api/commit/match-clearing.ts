import { bookFact } from "#lib/api/commit/internal/book-fact.ts";
import { OPERATOR } from "#lib/base/actor.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { createAuthorization } from "#lib/operations/processor/create-authorization.ts";
import { createCapture } from "#lib/operations/processor/create-capture.ts";
import { createPosting } from "#lib/operations/processor/create-posting.ts";
import { createRefund } from "#lib/operations/processor/create-refund.ts";
import { adviseForProcessor } from "#lib/processor/advice.ts";
import type { OwnAuthorization, ProcessorContext } from "#lib/processor/context.ts";
import { toAdvice, toCapture, toPosting, toRefund } from "#lib/processor/messages.ts";
import { captureOwn, postForProcessor } from "#lib/processor/operations.ts";
import { refundForProcessor } from "#lib/processor/refunding.ts";
import type { Effect } from "#lib/processor/operations.ts";
import { canMatch, keepFact, lockUnmatched } from "#lib/processor/unmatched.ts";
import type { FactOperation, UnmatchedFact } from "#lib/processor/unmatched.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { Tx } from "#db/transaction.ts";

/** What the operator says of a message: its card, and for a refund, the purchase. */
export interface Match {
  cardId: string;
  transactionId: string | null;
}

/**
 * Books a kept message on a card, as the card network sent it. A repeat by the network then gets that answer.
 * @throws DomainError `card_not_found`, `transaction_not_found`, `clock_advancing`, `balance_limit_exceeded`,
 *   `fact_unmatched` for a card that is not the authorization's; Error when no such message waits to be matched, or the
 *   network is sending it, or has sent it with success.
 */
export async function matchFact(
  tx: Tx,
  request: RequestOrigin,
  { id, ...match }: Match & { id: string },
): Promise<Effect> {
  const fact = await lockUnmatched(tx, id);
  const book = MATCHES[fact.operation];
  if (!book || !canMatch(fact.operation, fact.reason)) {
    throw new Error(
      `${fact.reference} cannot be matched: it was answered for good, and is only kept to be seen.`,
    );
  }
  if (!isId(match.cardId)) {
    throw notFound("card_not_found");
  }
  const effect = await bookFact(tx, request, { fact, book: (ctx) => book(ctx, fact, match) });
  if (!effect) {
    throw new Error(
      `The card network is sending ${fact.reference} again right now, or has done so, and it was recorded. Look again with "unmatched".`,
    );
  }
  await recordMatch(tx, request, { fact, effect });
  return effect;
}

/**
 * Books a capture that has waited for this authorization, in the transaction that records the authorization, which has claimed
 * its reference.
 * @returns undefined if the capture named another card, which the operator then sees, or is being sent again right now.
 * @throws DomainError as `captureOwn`.
 */
export async function bookWaitingCapture(
  tx: Tx,
  request: RequestOrigin,
  { fact, authorization }: { fact: UnmatchedFact; authorization: OwnAuthorization },
): Promise<Effect | undefined> {
  const posting = toPosting(readBody(createPosting, fact));
  if (posting.cardId !== null && posting.cardId !== authorization.cardId) {
    await keepFact(tx, fact, "card_conflict");
    return undefined;
  }
  return bookFact(tx, request, { fact, book: (ctx) => captureOwn(ctx, authorization, posting) });
}

type Book = (ctx: ProcessorContext, fact: UnmatchedFact, match: Match) => Promise<Effect>;

const MATCHES: Readonly<Partial<Record<FactOperation, Book>>> = {
  createAuthorization: (ctx, fact, { cardId }) => {
    const advice = toAdvice(readBody(createAuthorization, fact));
    const authorizationReference = isConfirmed(fact, cardId) ? null : advice.authorizationReference;
    return adviseForProcessor(ctx, { ...advice, authorizationReference, cardId });
  },
  createCapture: (ctx, fact, { cardId }) => {
    const posting = toCapture(fact.authorizationId ?? "", readBody(createCapture, fact));
    return postForProcessor(ctx, { ...posting, cardId });
  },
  createPosting: async (ctx, fact, { cardId }) => {
    const posting = toPosting(readBody(createPosting, fact));
    const authorization = isConfirmed(fact, cardId) ? null : posting.authorization;
    return postForProcessor(ctx, { ...posting, authorization, cardId });
  },
  createRefund: (ctx, fact, { cardId, transactionId }) =>
    refundForProcessor(ctx, { ...toRefund(readBody(createRefund, fact)), cardId, transactionId }),
};

/** Whether the operator says that the card is right, so that the authorization is not. */
function isConfirmed(fact: UnmatchedFact, cardId: string): boolean {
  return fact.reason === "card_conflict" && cardId === fact.cardId;
}

/** The body of a kept message, read as its operation reads it. */
function readBody<Body>(
  { body }: { body: { parse: (value: unknown) => Body } | null },
  { message, reference }: UnmatchedFact,
): Body {
  const { id: _, ...sent } = message;
  if (!body) {
    throw new Error("Every message of the card network has a body.");
  }
  return body.parse({ ...sent, reference });
}

async function recordMatch(
  tx: Tx,
  request: RequestOrigin,
  { fact, effect }: { fact: UnmatchedFact; effect: Effect },
): Promise<void> {
  const { integratorId, transaction } = effect;
  await recordAudit(tx, integratorId, [
    {
      actor: OPERATOR,
      request,
      action: "card.fact-matched",
      targetType: "card",
      targetId: transaction.cardId,
      before: null,
      after: { reference: transaction.id, network_reference: fact.reference },
    },
  ]);
}
