import { bookClearing } from "#lib/api/commit/internal/book-clearing.ts";
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
import { canMatch, keepClearing, lockUnmatched } from "#lib/processor/unmatched.ts";
import type { ClearingOperation, UnmatchedClearing } from "#lib/processor/unmatched.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { Tx } from "#db/transaction.ts";

/** What the operator decides about a message: its card, and for a refund, the purchase. */
export interface Match {
  cardId: string;
  transactionId: string | null;
}

/**
 * Books a kept message on a card, as the card network sent it. A repeat by the network then gets that answer.
 * @throws DomainError `card_not_found`, `transaction_not_found`, `clock_advancing`, `balance_limit_exceeded`,
 * `fact_unmatched` for a card that is not the authorization's; Error when no such message waits to be matched, or the
 * network is sending it now or has sent it successfully.
 */
export async function matchClearing(
  tx: Tx,
  request: RequestOrigin,
  { id, ...match }: Match & { id: string },
): Promise<Effect> {
  const clearing = await lockUnmatched(tx, id);
  const book = MATCHES[clearing.operation];
  if (!book || !canMatch(clearing.operation, clearing.reason)) {
    throw new Error(
      `${clearing.reference} cannot be matched: it was answered for good, and is only kept to be seen.`,
    );
  }
  if (!isId(match.cardId)) {
    throw notFound("card_not_found");
  }
  const effect = await bookClearing(tx, request, {
    clearing,
    book: (ctx) => book(ctx, clearing, match),
  });
  if (!effect) {
    throw new Error(
      `The card network is sending ${clearing.reference} again right now, or has done so, and it was recorded. Look again with "unmatched".`,
    );
  }
  await recordMatch(tx, request, { clearing, effect });
  return effect;
}

/**
 * Books a capture that has waited for this authorization. Runs in the transaction that records the authorization and
 * has claimed its reference.
 * @returns undefined if the capture named another card, which the operator then sees, or is being sent again right
 * now.
 * @throws DomainError as `captureOwn`.
 */
export async function bookWaitingCapture(
  tx: Tx,
  request: RequestOrigin,
  { clearing, authorization }: { clearing: UnmatchedClearing; authorization: OwnAuthorization },
): Promise<Effect | undefined> {
  const posting = toPosting(readBody(createPosting, clearing));
  if (posting.cardId !== null && posting.cardId !== authorization.cardId) {
    await keepClearing(tx, clearing, "card_conflict");
    return undefined;
  }
  return bookClearing(tx, request, {
    clearing,
    book: (ctx) => captureOwn(ctx, authorization, posting),
  });
}

type Book = (ctx: ProcessorContext, clearing: UnmatchedClearing, match: Match) => Promise<Effect>;

const MATCHES: Readonly<Partial<Record<ClearingOperation, Book>>> = {
  createAuthorization: (ctx, clearing, { cardId }) => {
    const advice = toAdvice(readBody(createAuthorization, clearing));
    const authorizationReference = isConfirmed(clearing, cardId)
      ? null
      : advice.authorizationReference;
    return adviseForProcessor(ctx, { ...advice, authorizationReference, cardId });
  },
  createCapture: (ctx, clearing, { cardId }) => {
    const posting = toCapture(clearing.authorizationId ?? "", readBody(createCapture, clearing));
    return postForProcessor(ctx, { ...posting, cardId });
  },
  createPosting: async (ctx, clearing, { cardId }) => {
    const posting = toPosting(readBody(createPosting, clearing));
    const authorization = isConfirmed(clearing, cardId) ? null : posting.authorization;
    return postForProcessor(ctx, { ...posting, authorization, cardId });
  },
  createRefund: (ctx, clearing, { cardId, transactionId }) =>
    refundForProcessor(ctx, {
      ...toRefund(readBody(createRefund, clearing)),
      cardId,
      transactionId,
    }),
};

/** Whether the operator confirms the card, so that the authorization must be wrong. */
function isConfirmed(clearing: UnmatchedClearing, cardId: string): boolean {
  return clearing.reason === "card_conflict" && cardId === clearing.cardId;
}

/** The body of a kept message, read as its operation reads it. */
function readBody<Body>(
  { body }: { body: { parse: (value: unknown) => Body } | null },
  { message, reference }: UnmatchedClearing,
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
  { clearing, effect }: { clearing: UnmatchedClearing; effect: Effect },
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
      after: { reference: transaction.id, network_reference: clearing.reference },
    },
  ]);
}
