import type { WriteContext } from "#lib/base/context.ts";
import { postPurchase } from "#lib/purchases/captures.ts";
import type { PostingRequest } from "#lib/purchases/captures.ts";
import type { Early } from "#lib/purchases/internal/early-messages.ts";

/** A message about an authorization that arrives before it. */
export type EarlierMessage =
  | { type: "capture"; amount: number; final: boolean }
  /** Without an amount, it reverses everything that the authorization will hold. */
  | { type: "reversal"; amount?: number | undefined };

/**
 * Books messages that arrive before their authorization, in order.
 * @param purchase the purchase, as the authorization will describe it.
 * @returns what they captured and released, in minor units.
 * @throws DomainError as `postPurchase`.
 */
export async function bookEarlier(
  ctx: WriteContext,
  purchase: Omit<PostingRequest, "amount">,
  messages: readonly EarlierMessage[],
): Promise<Early> {
  let early: Early = { captureIds: [], captured: 0, released: 0, endsHold: false, since: null };
  for (const message of messages) {
    early =
      message.type === "capture"
        ? await bookCapture(ctx, purchase, { early, ...message })
        : {
            ...early,
            released: early.released + (message.amount ?? 0),
            endsHold: early.endsHold || message.amount === undefined,
          };
  }
  return early;
}

async function bookCapture(
  ctx: WriteContext,
  purchase: Omit<PostingRequest, "amount">,
  { early, amount, final }: { early: Early; amount: number; final: boolean },
): Promise<Early> {
  const { id } = await postPurchase(ctx, { ...purchase, amount, authorization: "awaited" });
  return {
    ...early,
    captureIds: [...early.captureIds, id],
    captured: early.captured + amount,
    endsHold: early.endsHold || final,
  };
}
