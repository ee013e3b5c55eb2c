import {
  HOLD_LIFE_DAYS,
  refused,
  toDecline,
  toMissing,
  toNothingHeld,
  toOpen,
  toUnintended,
} from "./money-rules.ts";
import type {
  Authorization,
  Captured,
  Expected,
  ModelCard,
  Purchase,
  Wanted,
} from "./money-rules.ts";

/** A minimal in-memory model of money and cards, with which tests compare the product. */

/**
 * One integrator. Cards are identified by their index, authorizations and purchases by names that the caller chooses.
 */
export class MoneyModel {
  float: number;
  /** What is owed. */
  deficit = 0;
  readonly cards: ModelCard[];
  readonly authorizations = new Map<string, Authorization>();
  /** In the order in which they settled. */
  readonly purchases: Purchase[] = [];
  /** How many days the clock is ahead of real time. */
  private day = 0;

  constructor(float: number, cards: readonly ModelCard[]) {
    this.float = float;
    this.cards = cards.map((card) => ({ ...card }));
  }

  topUp(amount: number): Expected {
    this.receive(amount);
    return null;
  }

  credit(at: number, amount: number): Expected {
    const card = this.card(at);
    if (card.status === "closed") {
      return refused("card_closed");
    }
    if (amount > this.float) {
      return refused("insufficient_float");
    }
    this.float -= amount;
    card.balance += amount;
    return null;
  }

  debit(at: number, wanted: number | "all"): Expected {
    const card = this.card(at);
    if (card.status === "closed") {
      return refused("card_closed");
    }
    const available = card.balance - card.held;
    const amount = wanted === "all" ? available : wanted;
    if (amount === 0 || amount > available) {
      return refused("insufficient_card_balance");
    }
    this.sweep(card, amount);
    return null;
  }

  setStatus(at: number, status: ModelCard["status"]): Expected {
    const card = this.card(at);
    if (card.status === "closed") {
      return refused("card_closed");
    }
    card.status = status;
    this.sweepClosed(card);
    return null;
  }

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
    const hold = this.authorization(wanted.of);
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
    this.pay(isFirst ? wanted.of : name, hold.card, { amount, missing });
    Object.assign(hold, {
      state: isFirst ? "settled" : hold.state,
      captured: hold.captured + captured,
      released: hold.released + released,
    });
    return null;
  }

  increment(of: string, amount: number): Expected {
    const hold = this.authorization(of);
    const open = toOpen(hold);
    if (open === 0 || hold.state !== "authorized") {
      return refused(toNothingHeld(hold));
    }
    const card = this.card(hold.card);
    const reason = toDecline(card, amount, open);
    if (reason) {
      return { declined: reason };
    }
    card.held += amount;
    hold.amount += amount;
    return null;
  }

  /** A purchase without an authorization. */
  post(name: string, at: number, amount: number): Expected {
    this.pay(name, at, { amount, missing: toMissing(this.card(at), amount) });
    return null;
  }

  reverse(of: string, wanted: number | null, insists: boolean): Expected {
    const hold = this.authorization(of);
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

  /** Refunds a purchase by its name, or the newest one of a card with that much left. */
  refund(
    of: { card: number; purchase?: string },
    wanted: number | null,
    insists: boolean,
  ): Expected {
    const purchase =
      of.purchase === undefined
        ? this.purchases.findLast(
            ({ card, amount, refunded }) => card === of.card && amount - refunded >= (wanted ?? 1),
          )
        : this.purchases.find(({ name }) => name === of.purchase);
    const rest = purchase ? purchase.amount - purchase.refunded : 0;
    const amount = wanted ?? rest;
    if (amount === 0 || (amount > rest && !insists)) {
      return refused("refund_exceeds_purchase");
    }
    const card = this.card(of.card);
    card.balance += amount;
    if (purchase) {
      const { covered, refunded } = purchase;
      purchase.refunded += Math.min(amount, rest);
      this.sweep(card, Math.min(covered, purchase.refunded) - Math.min(covered, refunded));
    }
    this.sweepClosed(card);
    return null;
  }

  /** How much an authorization still holds. */
  open(of: string | undefined): number {
    return of === undefined ? 0 : toOpen(this.authorization(of));
  }

  /** Pays from the card what it has, and what it is missing from the float; the rest is owed. */
  private pay(name: string, at: number, { amount, missing }: { amount: number; missing: number }) {
    const card = this.card(at);
    const fromFloat = Math.min(missing, this.float);
    this.float -= fromFloat;
    this.deficit += missing - fromFloat;
    card.balance -= amount - missing;
    this.sweepClosed(card);
    this.purchases.push({ name, card: at, amount, covered: missing, refunded: 0 });
    const isUsed = missing < amount;
    if (isUsed && card.singleUse && card.held === 0 && card.status !== "closed") {
      this.end(card);
    }
  }

  private receive(amount: number) {
    const repaid = Math.min(amount, this.deficit);
    this.deficit -= repaid;
    this.float += amount - repaid;
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

  private end(card: ModelCard): void {
    card.status = "closed";
    this.sweepClosed(card);
  }

  /** A closed card keeps only what it holds. */
  private sweepClosed(card: ModelCard): void {
    if (card.status === "closed") {
      this.sweep(card, card.balance - card.held);
    }
  }

  private sweep(card: ModelCard, amount: number): void {
    card.balance -= amount;
    this.receive(amount);
  }

  private card(at: number): ModelCard {
    const card = this.cards[at];
    if (!card) {
      throw new Error(`The model has no card ${at}.`);
    }
    return card;
  }

  private authorization(name: string): Authorization {
    const found = this.authorizations.get(name);
    if (!found) {
      throw new Error(`The model has no authorization ${name}.`);
    }
    return found;
  }
}
