import { toDecline, toNothingHeld, toOpen } from "./model-rules.ts";
import type { Authorization, ModelCard } from "./model-rules.ts";

/** A minimal in-memory model of money and cards, with which tests compare the product. */

interface Wanted {
  amount: number;
  /** The reason for which the sandbox is to decline it, if any. */
  forced: string | null;
}

interface Purchase {
  name: string;
  card: number;
  amount: number;
  refunded: number;
}

/** The expected result of an act: a refusal's code, a decline's reason, or null for success. */
export type Expected = { refused: string } | { declined: string } | null;

const refused = (code: string): Expected => ({ refused: code });

/** The default capture tolerance. */
const TOLERANCE_PERCENT = 20;
/** The default life of an authorization. */
const HOLD_LIFE_DAYS = 7;

/**
 * One integrator. Cards are identified by their index, authorizations and purchases by names that the caller chooses.
 */
export class MoneyModel {
  float: number;
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
    this.float += amount;
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

  setStatus(at: number, status: "active" | "frozen"): Expected {
    const card = this.card(at);
    if (card.status === "closed") {
      return refused("card_closed");
    }
    card.status = status;
    return null;
  }

  close(at: number): Expected {
    const card = this.card(at);
    if (card.status === "closed") {
      return refused("card_closed");
    }
    if (card.held > 0) {
      return refused("card_has_holds");
    }
    this.end(card);
    return null;
  }

  authorize(name: string, at: number, { amount, forced }: Wanted): Expected {
    const card = this.card(at);
    const reason = forced ?? toDecline(card, amount);
    const state = reason ? "declined" : "authorized";
    const dueOn = this.day + HOLD_LIFE_DAYS;
    this.authorizations.set(name, { card: at, amount, captured: 0, released: 0, state, dueOn });
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
    this.pay(name, at, amount);
    if (card.singleUse) {
      this.end(card);
    }
    return null;
  }

  capture(name: string, wanted: { of: string; amount: number | null; final: boolean }): Expected {
    const hold = this.authorization(wanted.of);
    const open = toOpen(hold);
    if (open === 0) {
      return refused(toNothingHeld(hold));
    }
    const card = this.card(hold.card);
    const amount = wanted.amount ?? open;
    const tolerancePercent = card.status === "frozen" ? 0 : TOLERANCE_PERCENT;
    const tolerated = Math.floor(((hold.amount - hold.released) * tolerancePercent) / 100);
    if (amount > open + tolerated) {
      return refused("capture_exceeds_authorization");
    }
    const captured = Math.min(amount, open);
    const released = wanted.final ? open - captured : 0;
    if (amount > card.balance - card.held + captured + released) {
      return refused("insufficient_card_balance");
    }
    card.held -= captured + released;
    this.pay(hold.state === "authorized" ? wanted.of : name, hold.card, amount);
    Object.assign(hold, {
      state: "settled",
      captured: hold.captured + captured,
      released: hold.released + released,
    });
    if (card.singleUse && card.held === 0) {
      this.end(card);
    }
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

  reverse(of: string, wanted: number | null): Expected {
    const hold = this.authorization(of);
    const open = toOpen(hold);
    if (open === 0) {
      return refused(toNothingHeld(hold));
    }
    if (wanted !== null && wanted > open) {
      return refused("reversal_exceeds_hold");
    }
    this.release(hold, wanted ?? open, "reversed");
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
  refund(of: { purchase: string } | { card: number }, wanted: number | null): Expected {
    const purchase =
      "purchase" in of
        ? this.purchases.find(({ name }) => name === of.purchase)
        : this.purchases.findLast(
            ({ card, amount, refunded }) => card === of.card && amount - refunded >= (wanted ?? 1),
          );
    const rest = purchase ? purchase.amount - purchase.refunded : 0;
    const amount = wanted ?? rest;
    if (!purchase || amount === 0 || amount > rest) {
      return refused("refund_exceeds_purchase");
    }
    purchase.refunded += amount;
    const card = this.card(purchase.card);
    card.balance += amount;
    if (card.status === "closed") {
      this.sweep(card, amount);
    }
    return null;
  }

  /** How much an authorization still holds. */
  open(of: string | undefined): number {
    return of === undefined ? 0 : toOpen(this.authorization(of));
  }

  private pay(name: string, at: number, amount: number): void {
    this.card(at).balance -= amount;
    this.purchases.push({ name, card: at, amount, refunded: 0 });
  }

  private release(hold: Authorization, amount: number, state: "reversed" | "expired"): void {
    const card = this.card(hold.card);
    card.held -= amount;
    Object.assign(hold, { released: hold.released + amount });
    if (hold.state === "authorized" && toOpen(hold) === 0) {
      Object.assign(hold, { state });
    }
    if (hold.state === "settled" && card.singleUse && card.held === 0) {
      this.end(card);
    }
  }

  private end(card: ModelCard): void {
    this.sweep(card, card.balance);
    card.status = "closed";
  }

  private sweep(card: ModelCard, amount: number): void {
    card.balance -= amount;
    this.float += amount;
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
