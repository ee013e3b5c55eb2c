import { and, eq } from "drizzle-orm";
import { readRecorded } from "./recorded-events.ts";
import type { Recorded } from "./recorded-events.ts";
import { newId } from "#lib/base/ids.ts";
import { recordAdvice } from "#lib/purchases/advice.ts";
import type { Advised, AdviceRequest } from "#lib/purchases/advice.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import type { Authorized, AuthorizationRequest } from "#lib/purchases/authorizations.ts";
import { captureAuthorization, postPurchase } from "#lib/purchases/captures.ts";
import type { CaptureRequest, PostingRequest } from "#lib/purchases/captures.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { expireAuthorizationNow, reverseAuthorization } from "#lib/purchases/holds.ts";
import { incrementAuthorization } from "#lib/purchases/increments.ts";
import type { Incremented } from "#lib/purchases/increments.ts";
import { forceDecline, purchase } from "#lib/purchases/purchases.ts";
import { refund } from "#lib/purchases/refunds.ts";
import { takeBack } from "#lib/purchases/taking-back.ts";
import type { RefundRequest } from "#lib/purchases/refunds.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { events } from "#db/schema/events.ts";
import {
  passDeadline as passDeadlineIn,
  sweepExpired as sweepExpiredIn,
} from "#test/money/money-books.ts";
import { testDatabase } from "#test/database/database.ts";
import { write } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";

/** Acts of the card network, each committed in its own transaction. */

type Wanted = Pick<AuthorizationRequest, "cardId" | "amount"> & Partial<AuthorizationRequest>;

const UNSAID = { currency: null, narrative: null, merchant: null };

/** @throws the refusal of the authorization. A decline is a result. */
export function hold(integrator: TestIntegrator, wanted: Wanted): Promise<Authorized> {
  return write(integrator, ({ tx, ...caller }) =>
    performOne(tx, authorize, { ...caller, ...UNSAID, expiresInS: HOLD_LIFE_S, ...wanted }),
  );
}

/** Authorizes, and returns the transaction's id. */
export async function holdId(integrator: TestIntegrator, wanted: Wanted): Promise<string> {
  return (await hold(integrator, wanted)).transaction.id;
}

export function buy(integrator: TestIntegrator, wanted: Wanted): Promise<Authorized> {
  return write(integrator, (ctx) => purchase(ctx, { ...UNSAID, ...wanted }));
}

/** Declines a purchase as the sandbox does for a chosen reason. */
export function declineFor(
  integrator: TestIntegrator,
  reason: DeclineReason,
  wanted: Wanted,
): Promise<Transaction> {
  return write(integrator, (ctx) => forceDecline(ctx, { ...UNSAID, ...wanted }, reason));
}

export function capture(
  integrator: TestIntegrator,
  id: string,
  wanted: Partial<CaptureRequest> = {},
): Promise<Transaction> {
  return write(integrator, (ctx) =>
    captureAuthorization(ctx, id, { amount: null, final: false, ...wanted }),
  );
}

/** What the network approved in our place; under a reference of its own unless named. */
export function adviseOf(
  integrator: TestIntegrator,
  wanted: Pick<AdviceRequest, "cardId" | "amount"> & Partial<AdviceRequest>,
): Promise<Advised> {
  const own = { reference: newId(), authorizationId: null, expiresInS: HOLD_LIFE_S };
  return write(integrator, (ctx) => recordAdvice(ctx, { ...UNSAID, ...own, ...wanted }));
}

/** Posts a purchase that was never authorized. */
export function post(
  integrator: TestIntegrator,
  wanted: Pick<PostingRequest, "cardId" | "amount">,
): Promise<Transaction> {
  return write(integrator, (ctx) =>
    postPurchase(ctx, { narrative: null, merchant: null, ...wanted }),
  );
}

/** @throws the refusal of the increment. A decline is a result. */
export function increment(
  integrator: TestIntegrator,
  id: string,
  amount: number,
): Promise<Incremented> {
  return write(integrator, (ctx) => incrementAuthorization(ctx, id, { amount }));
}

export function reverse(
  integrator: TestIntegrator,
  id: string,
  amount: number | null = null,
): Promise<Transaction> {
  return write(integrator, (ctx) => reverseAuthorization(ctx, id, { amount }));
}

/** Expires an authorization before its deadline, as the sandbox does. */
export function expireNow(
  integrator: TestIntegrator,
  id: string,
  cardId: string,
): Promise<Transaction> {
  return write(integrator, (ctx) => expireAuthorizationNow(ctx, id, { cardId }));
}

/** Lets the deadline of an authorization pass. */
export function passDeadline({ id: integratorId }: TestIntegrator, id: string): Promise<void> {
  return passDeadlineIn(testDatabase().db, integratorId, id);
}

/** Runs the expiry until an authorization whose deadline has passed is released. */
export function sweepExpired({ id: integratorId }: TestIntegrator, id: string): Promise<void> {
  return sweepExpiredIn(testDatabase().db, integratorId, id);
}

/** Without a purchase or an authorization, the refund stands by itself. */
export function refundPurchase(
  integrator: TestIntegrator,
  {
    transactionId,
    ...wanted
  }: Pick<RefundRequest, "cardId"> & Partial<RefundRequest> & { transactionId?: string | null },
): Promise<Transaction> {
  const of = transactionId ? { transactionId } : null;
  return write(integrator, (ctx) =>
    refund(ctx, { of, amount: null, narrative: null, merchant: null, ...wanted }),
  );
}

/** Takes back a purchase or a refund. */
export function takeBackOf(integrator: TestIntegrator, id: string): Promise<Transaction> {
  return write(integrator, (ctx) => takeBack(ctx, id));
}

/** A subject's events, in order. */
export function eventsOf({ id }: TestIntegrator, subjectId: string): Promise<Recorded[]> {
  return readRecorded(and(eq(events.integratorId, id), eq(events.subjectId, subjectId)));
}
