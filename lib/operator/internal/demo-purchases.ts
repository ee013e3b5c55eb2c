import { performOne } from "#lib/group-commit/batch.ts";
import { DAY_MS, HOUR_MS } from "#lib/operator/internal/demo-agenda.ts";
import { credit } from "#lib/operator/internal/demo-business.ts";
import {
  COSTLY,
  DEMO_PURCHASES,
  EURO_PURCHASES,
  SUBSCRIPTION,
} from "#lib/operator/internal/demo-merchants.ts";
import { asActor } from "#lib/operator/internal/demo-scene.ts";
import type { Holder, Scene } from "#lib/operator/internal/demo-scene.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import type { SpendRequest } from "#lib/purchases/authorizations.ts";
import { captureAuthorization } from "#lib/purchases/captures.ts";
import { expireAuthorization, reverseAuthorization } from "#lib/purchases/holds.ts";
import { EXPIRY } from "#lib/base/actor.ts";
import { purchase } from "#lib/purchases/purchases.ts";
import { refund } from "#lib/purchases/refunds.ts";
import type { SamplePurchase } from "#lib/transactions/sample-purchases.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";

/** How long after its deadline the expiry run releases a hold. */
const EXPIRY_LAG_MS = 4_000;

/** In minor units. */
const EXTRA = 6_000;

/** How likely a merchant abroad charges in euros. */
const ABROAD = 0.02;

/** Ways to pay, each with its probability. All other purchases are paid at once. */
const PAYMENT_FLOWS: readonly [
  number,
  (scene: Scene, request: SpendRequest) => Promise<unknown>,
][] = [
  [0.3, payLater],
  [0.02, payInPart],
  [0.02, reverseLater],
  [0.025, neverPay],
];

/** Makes a purchase that is typical of a holder, paid by one of the flows above. */
export async function spend(scene: Scene, holder: Holder): Promise<void> {
  if (scene.random.chance(ABROAD)) {
    await payInEuros(scene, toRequest(scene, holder, scene.random.pick(EURO_PURCHASES)));
    return;
  }
  const request = toRequest(scene, holder, scene.random.pick(DEMO_PURCHASES));
  let left = scene.random.next();
  for (const [likely, pay] of PAYMENT_FLOWS) {
    left -= likely;
    if (left < 0) {
      await pay(scene, request);
      return;
    }
  }
  await payAtOnce(scene, request);
}

/** Charges a holder's subscription. The price is always the same. */
export async function charge(scene: Scene, { cardId }: Holder): Promise<void> {
  await purchase(asActor(scene, scene.refs.network), { cardId, currency: null, ...SUBSCRIPTION });
}

/** Attempts a purchase that no card of the demo can pay. */
export async function attemptCostly(scene: Scene, { cardId }: Holder): Promise<void> {
  await purchase(asActor(scene, scene.refs.network), { cardId, currency: null, ...COSTLY });
}

/** Uses a single-use card: its purchase, an attempt at another one meanwhile, and the end of the card. */
export async function useOnce(scene: Scene, holder: Holder): Promise<void> {
  const request = toRequest(scene, holder, scene.random.pick(DEMO_PURCHASES));
  const { id } = await hold(scene, request);
  scene.agenda.addAfter(3 * HOUR_MS, () => payAtOnce(scene, request));
  scene.agenda.addAfter(DAY_MS, () => capture(scene, id, null));
}

async function payAtOnce(scene: Scene, request: SpendRequest): Promise<void> {
  const { transaction } = await purchase(asActor(scene, scene.refs.network), request);
  mayRefund(scene, transaction);
  mayFund(scene, transaction);
}

async function payLater(scene: Scene, request: SpendRequest): Promise<void> {
  const { id, status } = await hold(scene, request);
  if (status === "authorized") {
    const hours = scene.random.between(18, 70);
    scene.agenda.addAfter(hours * HOUR_MS, async () => {
      mayRefund(scene, await capture(scene, id, null));
    });
  }
}

async function payInPart(scene: Scene, request: SpendRequest): Promise<void> {
  const { id, status } = await hold(scene, request);
  if (status === "authorized") {
    const amount = Math.ceil(request.amount * 0.6);
    scene.agenda.addAfter(DAY_MS, () => capture(scene, id, amount));
  }
}

async function reverseLater(scene: Scene, request: SpendRequest): Promise<void> {
  const { id, status } = await hold(scene, request);
  if (status === "authorized") {
    scene.agenda.addAfter(5 * HOUR_MS, () =>
      reverseAuthorization(asActor(scene, scene.refs.network), id, { amount: null }),
    );
  }
}

/** A hold that nobody captures, for example a deposit. */
async function neverPay(scene: Scene, request: SpendRequest): Promise<void> {
  const { id, holdExpiresAt } = await hold(scene, request);
  if (holdExpiresAt) {
    scene.agenda.addAt(new Date(holdExpiresAt.getTime() + EXPIRY_LAG_MS), () =>
      expireAuthorization(asActor(scene, EXPIRY), id),
    );
  }
}

async function payInEuros(scene: Scene, request: SpendRequest): Promise<void> {
  await purchase(asActor(scene, scene.refs.network), { ...request, currency: "EUR" });
}

async function hold(scene: Scene, request: SpendRequest): Promise<Transaction> {
  const { tx, ...caller } = asActor(scene, scene.refs.network);
  const authorized = await performOne(tx, authorize, {
    ...request,
    ...caller,
    expiresInS: HOLD_LIFE_S,
  });
  mayFund(scene, authorized.transaction);
  return authorized.transaction;
}

async function capture(scene: Scene, id: string, amount: number | null): Promise<Transaction> {
  const ctx = asActor(scene, scene.refs.network);
  return captureAuthorization(ctx, id, { amount, final: true });
}

/** Some of what was bought is returned a few days later, all of it or a part. */
function mayRefund(scene: Scene, { id, cardId, status, amount }: Transaction): void {
  const { agenda, random } = scene;
  if (status !== "settled" || !random.chance(0.04)) {
    return;
  }
  const part = random.chance(0.5) ? amount : Math.ceil(amount / 3);
  const request = {
    cardId,
    of: { transactionId: id },
    narrative: null,
    merchant: null,
    amount: part,
  };
  agenda.addAfter(random.between(20, 140) * HOUR_MS, () =>
    refund(asActor(scene, scene.refs.network), request),
  );
}

/** A person who ran out of funds usually gets more. */
function mayFund(scene: Scene, { cardId, declineReason }: Transaction): void {
  if (declineReason === "insufficient_funds" && scene.random.chance(0.7)) {
    scene.agenda.addAfter(scene.random.between(1, 4) * HOUR_MS, () =>
      credit(scene, [{ cardId, allowance: EXTRA }], { narrative: "Extra allowance" }),
    );
  }
}

function toRequest({ random }: Scene, { cardId }: Holder, usual: SamplePurchase): SpendRequest {
  const amount = Math.round(usual.amount * (0.7 + random.next() * 1.2));
  return { cardId, currency: null, ...usual, amount };
}
