import { refused } from "./money-rules.ts";
import type { Expected, ModelCard } from "./money-rules.ts";

/** The accounts of the model of money: what each has, and how money moves between them. */
export class ModelAccounts {
  float: number;
  /** What is owed. */
  deficit = 0;
  readonly cards: ModelCard[];

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

  protected receive(amount: number) {
    const repaid = Math.min(amount, this.deficit);
    this.deficit -= repaid;
    this.float += amount - repaid;
  }

  /** Pays from the card, then from the float; the rest is owed. */
  protected spend(card: ModelCard, { amount, missing }: { amount: number; missing: number }) {
    const fromFloat = Math.min(missing, this.float);
    this.float -= fromFloat;
    this.deficit += missing - fromFloat;
    card.balance -= amount - missing;
  }

  protected end(card: ModelCard): void {
    card.status = "closed";
    this.sweepClosed(card);
  }

  /** A closed card keeps only what it holds. */
  protected sweepClosed(card: ModelCard): void {
    if (card.status === "closed") {
      this.sweep(card, card.balance - card.held);
    }
  }

  protected sweep(card: ModelCard, amount: number): void {
    card.balance -= amount;
    this.receive(amount);
  }

  protected card(at: number): ModelCard {
    const card = this.cards[at];
    if (!card) {
      throw new Error(`The model has no card ${at}.`);
    }
    return card;
  }
}
