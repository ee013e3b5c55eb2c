import * as fc from "fast-check";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";

const card = fc.nat(2);
/** An index into the existing ones, modulo their number. */
const which = fc.nat(9);
/** Mostly small, so that many acts succeed before the funds are spent. */
const amount = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }) },
  fc.integer({ min: 1, max: 1_200 }),
);
const orAll = fc.option(amount, { nil: null });
/** Whether the integrator simulates the network, or the processor calls. */
const via = fc.constantFrom("mock", "processor");
/** A decline that the integrator forces, if any; the processor cannot. */
const forced = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  fc.constantFrom(...DECLINE_REASONS),
);

/** Every action on money and cards. */
export const anyAct = fc.oneof(
  fc.record({ act: fc.constant("topUp"), amount }),
  fc.record({ act: fc.constant("credit"), card, amount }),
  fc.record({ act: fc.constant("debit"), card, amount: orAll }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant("freeze"), card }) },
  fc.record({ act: fc.constant("unfreeze"), card }),
  fc.record({ act: fc.constant("close"), card }),
  { weight: 4, arbitrary: fc.record({ act: fc.constant("authorize"), card, amount, via, forced }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("deduct"), card, amount, forced }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("capture"),
      which,
      amount: orAll,
      final: fc.boolean(),
      force: fc.boolean(),
    }),
  },
  // Around what is held, and far above it.
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("captureAbove"),
      which,
      percent: fc.constantFrom(0, 1, 20, 500),
      force: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("post"), card, amount, via }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("reverse"),
      which,
      amount: orAll,
      force: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("increment"), which, amount }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("expire"), which, early: fc.boolean() }) },
  fc.record({ act: fc.constant("advance"), days: fc.integer({ min: 1, max: 8 }) }),
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("refund"),
      which,
      amount: orAll,
      force: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("refundPurchase"), card, amount, via }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("refundOriginal"), which, amount }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("takeBack"), which }) },
);

export type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never;
