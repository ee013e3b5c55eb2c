import {
  HOLD_LIFE_DAYS,
  refused,
  toDecline,
  toMissing,
  toNothingHeld,
  toOpen,
  toUnintended,
} from "./money-rules.ts";
import type { Authorization, Captured, Expected, Purchase, Refund, Wanted } from "./money-rules.ts";
import { ModelAccounts } from "./money-accounts.ts";
import { addRefunds, giveBack, toRefundable } from "./money-refunds.ts";

/** A minimal in-memory model of money and cards, with which tests compare the product. */

/**
 * One integrator. Cards are identified by their index, authorizations and purchases by names that the caller chooses.
 */
export class MoneyModel extends ModelAccounts {
  readonly authorizations = new Map<string, Authorization>();
  /** In the order in which they settled. */
  readonly purchases: Purchase[] = [];
  readonly refunds: Refund[] = [];
  /** How many days the clock is ahead of real time. */
  private day = 0;

  authorize(name: string, at: number, { amount, forced }: Wanted): Expected {
    const card = this.card(at);
    const reason = forced ?? toDecline(card, amount);
    const state = reason ? "declined" : "authorized";
    const dueOn = this.day + HOLD_LIFE_DAYS;
    this.authorizations.set(name, {
      card: at,
      amount,
      captured: 0,
      released: 0,
      state,
      reason,
      dueOn,
    });
    if (reason) {
      return { declined: reason };
    }
    card.held += amount;
    return null;
  }

  deduct(name: string, at: number, { amount, forced }: Wanted): Expected {
    const card = this.card(at);
    const reason = forced ?? toDecline(card, amount);
    if (reason) {
      return { declined: reason };
    }
    this.pay(name, at, { amount, missing: 0 });
    return null;
  }

  capture(name: string, wanted: Captured): Expected {
    const of = this.current(wanted.of);
    const hold = this.authorization(of);
    const open = toOpen(hold);
    if (open === 0 && (wanted.amount === null || !wanted.insists)) {
      return refused(toNothingHeld(hold));
    }
    const card = this.card(hold.card);
    const amount = wanted.amount ?? open;
    const captured = Math.min(amount, open);
    const missing = toMissing(card, amount - captured);
    if (missing > 0 && !wanted.insists) {
      return refused(toUnintended(card));
    }
    const released = wanted.final ? open - captured : 0;
    card.held -= captured + released;
    const isFirst = hold.state === "authorized";
    this.pay(isFirst ? of : name, hold.card, { amount, missing });
    Object.assign(hold, {
      state: isFirst ? "settled" : hold.state,
      captured: hold.captured + captured,
      released: hold.released + released,
    });
    return null;
  }

  /** @param name of the authorization that the increment becomes if the one that it is for has ended. */
  increment(
    name: string,
    of: string,
    { amount, insists }: Omit<Captured, "of" | "final"> & { amount: number },
  ): Expected {
    const hold = this.authorization(this.current(of));
    const open = toOpen(hold);
    if (open === 0 && !insists) {
      return refused(toNothingHeld(hold));
    }
    if (hold.state === "reversed") {
      return { declined: "reversed_before" };
    }
    const card = this.card(hold.card);
    const reason = toDecline(card, amount, open);
    if (reason) {
      return { declined: reason };
    }
    if (open === 0) {
      this.authorize(name, hold.card, { amount, forced: null });
      Object.assign(this.authorization(name), { increases: of });
      return null;
    }
    card.held += amount;
    hold.amount += amount;
    return null;
  }

  /** Gives an authorization that was made under a temporary name the product's id. @returns whether it was made. */
  renameAuthorization(name: string, id: string): boolean {
    const made = this.authorizations.get(name);
    if (made) {
      this.authorizations.delete(name);
      this.authorizations.set(id, made);
    }
    return made !== undefined;
  }

  /** The authorization that messages for this one apply to: once it has ended, the increment that is open in its place. */
  current(of: string): string {
    if (toOpen(this.authorization(of)) > 0) {
      return of;
    }
    const open = [...this.authorizations].find(
      ([, { increases, ...hold }]) => increases === of && toOpen(hold) > 0,
    );
    return open?.[0] ?? of;
  }

  /** A purchase without an authorization. */
  post(name: string, at: number, amount: number): Expected {
    this.pay(name, at, { amount, missing: toMissing(this.card(at), amount) });
    return null;
  }

  reverse(of: string, wanted: number | null, insists: boolean): Expected {
    const hold = this.authorization(this.current(of));
    const open = toOpen(hold);
    if (open === 0) {
      // The answer is the authorization, as it stands.
      const asItStands = hold.reason === null ? null : { declined: hold.reason };
      return insists ? asItStands : refused(toNothingHeld(hold));
    }
    if (wanted !== null && wanted > open && !insists) {
      return refused("reversal_exceeds_hold");
    }
    this.release(hold, Math.min(wanted ?? open, open), "reversed");
    return null;
  }

  expire(of: string): Expected {
    const hold = this.authorization(of);
    const open = toOpen(hold);
    if (open === 0) {
      return refused(toNothingHeld(hold));
    }
    this.release(hold, open, "expired");
    return null;
  }

  /** Advances the clock, and releases what expires on the way. */
  advance(days: number): Expected {
    this.day += days;
    for (const hold of new Set(this.authorizations.values())) {
      const open = toOpen(hold);
      if (open > 0 && hold.dueOn <= this.day) {
        this.release(hold, open, "expired");
      }
    }
    return null;
  }

  /** Refunds a purchase by its name; without one, a test that does not insist means the newest with that much left. */
  refund(
    of: { card: number; purchase?: string },
    wanted: number | null,
    insists: boolean,
  ): Expected {
    const purchase =
      of.purchase === undefined && !insists
        ? this.purchases.findLast(
            (each) => each.card === of.card && toRefundable(each) >= (wanted ?? 1),
          )
        : this.purchases.find(({ name }) => name === of.purchase);
    const rest = purchase ? toRefundable(purchase) : 0;
    const amount = wanted ?? rest;
    if (amount === 0 || (amount > rest && !insists)) {
      return refused("refund_exceeds_purchase");
    }
    const card = this.card(of.card);
    card.balance += amount;
    this.sweep(card, giveBack(purchase, this.refunds, Math.min(amount, rest)));
    this.refunds.push({
      name: "",
      card: of.card,
      amount,
      purchase,
      takenBack: false,
      coverLeft: 0,
    });
    addRefunds(purchase, this.refunds);
    this.sweepClosed(card);
    return null;
  }

  /** Takes back a purchase or a refund by its name, once. */
  takeBack(of: string): Expected {
    const isIt = ({ name }: { name: string }) => name === of;
    const refund = this.refunds.find(isIt);
    const original = refund ?? this.purchases.find(isIt);
    if (!original || original.takenBack) {
      return null;
    }
    const card = this.card(original.card);
    if (refund) {
      refund.coverLeft = toMissing(card, refund.amount);
      this.spend(card, { amount: refund.amount, missing: refund.coverLeft });
    } else {
      card.balance += original.amount;
      const purchase = this.purchases.find(isIt);
      this.sweep(card, giveBack(purchase, this.refunds, original.amount));
    }
    original.takenBack = true;
    addRefunds(refund?.purchase, this.refunds);
    this.sweepClosed(card);
    return null;
  }

  /** How much an authorization still holds. */
  open(of: string | undefined): number {
    return of === undefined ? 0 : toOpen(this.authorization(this.current(of)));
  }

  /** Pays from the card, then from the float; the rest is owed. */
  private pay(name: string, at: number, { amount, missing }: { amount: number; missing: number }) {
    const card = this.card(at);
    this.spend(card, { amount, missing });
    this.sweepClosed(card);
    const cover = { covered: missing, coverLeft: missing };
    this.purchases.push({ name, card: at, amount, ...cover, refunded: 0, takenBack: false });
    if (card.singleUse && missing < amount && card.held === 0 && card.status !== "closed") {
      this.end(card);
    }
  }

  private release(hold: Authorization, amount: number, state: "reversed" | "expired"): void {
    const card = this.card(hold.card);
    card.held -= amount;
    Object.assign(hold, { released: hold.released + amount });
    this.sweepClosed(card);
    if (hold.state === "authorized" && toOpen(hold) === 0) {
      Object.assign(hold, { state });
    }
    if (hold.state === "settled" && card.singleUse && card.held === 0) {
      this.end(card);
    }
  }

  private authorization(name: string): Authorization {
    const found = this.authorizations.get(name);
    if (!found) {
      throw new Error(`The model has no authorization ${name}.`);
    }
    return found;
  }
}
