import { cleanDescription } from "#lib/processor/internal/clean-description.ts";
import type { SentDescription } from "#lib/processor/internal/clean-description.ts";
import type { ProcessorAdvice } from "#lib/processor/advice.ts";
import type { ProcessorPosting } from "#lib/processor/operations.ts";
import type { ProcessorRefund } from "#lib/processor/refunding.ts";
import type { Original, OriginalKind } from "#lib/processor/originals.ts";
import type { ReversalRequest } from "#lib/purchases/holds.ts";

/**
 * Converts the bodies of the card network's messages to requests of the domain: for the routes, and for kept messages
 * that the operator matches.
 */

interface AuthorizationBody extends SentDescription {
  reference: string;
  card_id: string;
  amount: number;
  currency: string;
  expires_in: number;
  authorization_reference?: string | undefined;
}

interface CaptureBody extends SentDescription {
  amount?: number | undefined;
  final: boolean;
}

interface PostingBody extends CaptureBody {
  card_id?: string | undefined;
  authorization_reference?: string | undefined;
}

interface NamedOriginal {
  original_reference?: string | undefined;
  original_kind?: OriginalKind | undefined;
}

interface RefundBody extends SentDescription, NamedOriginal {
  card_id: string;
  transaction_id?: string | undefined;
  authorization_reference?: string | undefined;
  amount: number;
}

/** An authorization that the network asks for, or has approved on our behalf. */
export function toAuthorization(body: AuthorizationBody) {
  return {
    cardId: body.card_id,
    amount: body.amount,
    currency: body.currency,
    ...cleanDescription(body),
    expiresInS: body.expires_in,
  };
}

/** An authorization that the network has approved on our behalf. */
export function toAdvice(body: AuthorizationBody): ProcessorAdvice {
  const { reference, authorization_reference: authorizationReference = null } = body;
  return { ...toAuthorization(body), reference, authorizationReference };
}

/** A capture of the authorization whose id is in the path. */
export function toCapture(id: string, body: CaptureBody): ProcessorPosting {
  return { ...toPosted(body), authorization: { id }, cardId: null };
}

/** A capture by the reference of its authorization, or a purchase on a card. */
export function toPosting({
  card_id: cardId,
  authorization_reference: reference,
  ...body
}: PostingBody): ProcessorPosting {
  const authorization = reference === undefined ? null : { reference };
  return { ...toPosted(body), authorization, cardId: cardId ?? null };
}

function toPosted({ amount, final, ...described }: CaptureBody) {
  return { amount: amount ?? null, final, ...cleanDescription(described) };
}

/** A reversal of an authorization, however it is named. */
export function toReversal(body: {
  amount?: number | undefined;
  occurred_at?: Date | undefined;
}): ReversalRequest {
  return { amount: body.amount ?? null, occurredAt: body.occurred_at ?? null };
}

/** A refund to a card. */
export function toRefund(body: RefundBody): ProcessorRefund {
  return {
    cardId: body.card_id,
    transactionId: body.transaction_id ?? null,
    authorizationReference: body.authorization_reference ?? null,
    original: toOriginal(body),
    amount: body.amount,
    ...cleanDescription(body),
  };
}

/** The original that a body names. */
export function toOriginal(body: NamedOriginal): Original | null {
  const { original_reference: reference, original_kind: kind } = body;
  return reference === undefined || kind === undefined ? null : { reference, kind };
}
