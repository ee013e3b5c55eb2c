import { randomUUID } from "node:crypto";
import type { Act } from "./money-acts.ts";
import { sendAct, toPurchase } from "./money-answers.ts";
import { passDeadline, sweepExpired } from "./money-books.ts";
import { SINGLE_USE, compareBooks } from "./money-compare.ts";
import { MoneyModel } from "./money-model.ts";
import type { Expected } from "./money-rules.ts";
import type { MoneyAccount, MoneyWorld } from "./money-world.ts";

const FLOAT = 3_000;
const BALANCE = 1_000;

/** Runs the product and its model side by side. */
export class Life {
  readonly model: MoneyModel;
  private repeated = false;
  /** The processor's latest. */
  private reference = "";
  private readonly world: MoneyWorld;
  private readonly account: MoneyAccount;
  /** Authorizations and purchases by their ids, in order of creation. */
  private readonly holds: { id: string; via: string }[] = [];
  private readonly purchases: { id: string; card: number }[] = [];
  /** What the processor has reported, by its own references. */
  private readonly reported: { id: string; kind: string; reference: string }[] = [];

  constructor(world: MoneyWorld, account: MoneyAccount) {
    this.world = world;
    this.account = account;
    this.model = new MoneyModel(
      FLOAT,
      SINGLE_USE.map((singleUse) => ({ status: "active", singleUse, balance: BALANCE, held: 0 })),
    );
  }

  static async begin(world: MoneyWorld): Promise<Life> {
    const wanted = { float: FLOAT, balance: BALANCE, singleUse: SINGLE_USE };
    return new Life(world, await world.open(wanted));
  }

  /** Performs one act, possibly repeated under the same key or reference, and compares the results. */
  async live(wanted: Act, repeated: boolean): Promise<void> {
    this.repeated = repeated;
    await (this[wanted.act].bind(this) as (act: Act) => Promise<void>)(wanted);
    const life = { model: this.model, holds: this.holds, purchases: this.purchases };
    await compareBooks(this.world, this.account, { life, after: JSON.stringify(wanted) });
  }

  async topUp({ amount }: { amount: number }) {
    await this.send("PATCH /card-integrators/top-up-float", { amount }, this.model.topUp(amount));
  }

  async credit(wanted: { card: number; amount: number }) {
    const body = { card_id: this.account.cardIds[wanted.card], amount: wanted.amount };
    const expected = this.model.credit(wanted.card, wanted.amount);
    await this.send("PATCH /cards/credit/balance", body, expected);
  }

  async debit(wanted: { card: number; amount: number | null }) {
    const body = { card_id: this.account.cardIds[wanted.card], amount: wanted.amount ?? "all" };
    const expected = this.model.debit(wanted.card, wanted.amount ?? "all");
    await this.send("PATCH /cards/debit/balance", body, expected);
  }

  async freeze(wanted: { card: number }) {
    const expected = this.model.setStatus(wanted.card, "frozen");
    await this.send(`PATCH /cards/${this.account.cardIds[wanted.card]}/freeze`, {}, expected);
  }

  async unfreeze(wanted: { card: number }) {
    const expected = this.model.setStatus(wanted.card, "active");
    await this.send(`PATCH /cards/${this.account.cardIds[wanted.card]}/unfreeze`, {}, expected);
  }

  async close(wanted: { card: number }) {
    const expected = this.model.setStatus(wanted.card, "closed");
    await this.send(`POST /cards/${this.account.cardIds[wanted.card]}/close`, {}, expected);
  }

  async authorize(wanted: { card: number; amount: number; via: string; forced: string | null }) {
    const cardId = this.account.cardIds[wanted.card];
    const forced = wanted.via === "mock" ? wanted.forced : null;
    const body = { card_id: cardId, amount: wanted.amount, currency: "USD" };
    // Its id is known only after the response, so the model first uses a temporary name.
    const name = randomUUID();
    const expected = this.model.authorize(name, wanted.card, { ...wanted, forced });
    const id =
      wanted.via === "mock"
        ? await this.mock(wanted.card, toPurchase("authorize", wanted), expected)
        : await this.process("authorizations", body, expected);
    this.noteHold(name, { id, via: wanted.via });
  }

  async deduct(wanted: { card: number; amount: number; forced: string | null }) {
    const settled = this.model.purchases.length;
    const expected = this.model.deduct("", wanted.card, wanted);
    const body = toPurchase("deduct", wanted);
    this.note(settled, wanted.card, await this.mock(wanted.card, body, expected));
  }

  async post(wanted: { card: number; amount: number; via: string }) {
    const settled = this.model.purchases.length;
    const { card, amount } = wanted;
    const expected = this.model.post("", card, amount);
    const body = { card_id: this.account.cardIds[card], amount };
    const id = await (wanted.via === "mock"
      ? this.mock(card, { type: "posting", amount }, expected)
      : this.process("captures", body, expected));
    this.note(settled, card, id);
    this.keepReported(id, wanted.via, "posting");
  }

  async capture(wanted: { which: number; amount: number | null; final: boolean; force: boolean }) {
    const hold = this.pick(this.holds, wanted.which);
    if (!hold) {
      return;
    }
    const at = this.cardOf(hold);
    const settled = this.model.purchases.length;
    const amountOf = wanted.amount === null ? {} : { amount: wanted.amount };
    const final = hold.via === "processor" && wanted.final;
    const { amount, force } = wanted;
    const insists = force || hold.via === "processor";
    const expected = this.model.capture("", { of: hold.id, amount, final, insists });
    const body = { type: "capture", transaction_id: hold.id, ...amountOf, force };
    const id =
      hold.via === "mock"
        ? await this.mock(at, body, expected)
        : await this.process(
            `authorizations/${hold.id}/captures`,
            { ...amountOf, final },
            expected,
          );
    this.note(settled, at, id);
  }

  async captureAbove(wanted: { which: number; percent: number; force: boolean }) {
    const open = this.model.open(this.pick(this.holds, wanted.which)?.id);
    const amount = Math.max(1, open + Math.ceil((open * wanted.percent) / 100));
    await this.capture({ ...wanted, amount, final: false });
  }

  async increment(wanted: { which: number; amount: number }) {
    const hold = this.pick(this.holds, wanted.which);
    if (!hold) {
      return;
    }
    const { amount } = wanted;
    const insists = hold.via === "processor";
    const name = randomUUID();
    const expected = this.model.increment(name, hold.id, { amount, insists });
    const body = { type: "increment", transaction_id: hold.id, amount };
    const id = insists
      ? await this.process(`authorizations/${hold.id}/increments`, { amount }, expected)
      : await this.mock(this.cardOf(hold), body, expected);
    this.noteHold(name, { id, via: hold.via });
  }

  private noteHold(name: string, hold: { id: string; via: string }): void {
    if (this.model.renameAuthorization(name, hold.id)) {
      this.holds.push(hold);
    }
  }

  async reverse(wanted: { which: number; amount: number | null; force: boolean }) {
    const hold = this.pick(this.holds, wanted.which);
    if (!hold) {
      return;
    }
    const at = this.cardOf(hold);
    const amountOf = wanted.amount === null ? {} : { amount: wanted.amount };
    const { force } = wanted;
    const insists = force || hold.via === "processor";
    const expected = this.model.reverse(hold.id, wanted.amount, insists);
    if (hold.via === "mock") {
      const body = { type: "reversal", transaction_id: hold.id, ...amountOf, force };
      await this.mock(at, body, expected);
    } else {
      await this.process(`authorizations/${hold.id}/reversals`, amountOf, expected);
    }
  }

  async expire(wanted: { which: number; early: boolean }) {
    const hold = this.pick(this.holds, wanted.which);
    if (!hold) {
      return;
    }
    const expected = this.model.expire(wanted.early ? this.model.current(hold.id) : hold.id);
    if (wanted.early) {
      await this.mock(this.cardOf(hold), { type: "expire", transaction_id: hold.id }, expected);
    } else {
      await passDeadline(this.world.db, this.account.id, hold.id);
      await sweepExpired(this.world.db, this.account.id, hold.id);
    }
  }

  async advance({ days }: { days: number }) {
    const body = { by_seconds: days * 86_400 };
    await this.send("POST /sandbox/clock/advance", body, this.model.advance(days));
  }

  async refund(wanted: { which: number; amount: number | null; force: boolean }) {
    const purchase = this.pick(this.purchases, wanted.which);
    if (!purchase) {
      return;
    }
    const amountOf = wanted.amount === null ? {} : { amount: wanted.amount };
    const { force } = wanted;
    const of = { card: purchase.card, purchase: purchase.id };
    const expected = this.model.refund(of, wanted.amount, force);
    const body = { type: "refund", transaction_id: purchase.id, ...amountOf, force };
    await this.mock(purchase.card, body, expected);
  }

  async refundPurchase(wanted: { card: number; amount: number; via: string }) {
    const { card, amount } = wanted;
    const insists = wanted.via === "processor";
    const known = this.model.refunds.length;
    const expected = this.model.refund({ card }, amount, insists);
    const id = await (insists
      ? this.process("refunds", { card_id: this.account.cardIds[card], amount }, expected)
      : this.mock(card, { type: "deduct-reversal", amount }, expected));
    this.rename(known, id);
    this.keepReported(id, wanted.via, "refund");
  }

  /** Of a purchase that the processor has reported, by its own reference. */
  async refundOriginal(wanted: { which: number; amount: number }) {
    const { amount } = wanted;
    const of = this.pick(
      this.reported.filter(({ kind }) => kind === "posting"),
      wanted.which,
    );
    const purchase = this.purchases.find(({ id }) => id === of?.id);
    if (!of || !purchase) {
      return;
    }
    const known = this.model.refunds.length;
    const expected = this.model.refund({ card: purchase.card, purchase: of.id }, amount, true);
    const named = { original_reference: of.reference, original_kind: "capture" };
    const body = { card_id: this.account.cardIds[purchase.card], amount, ...named };
    const id = await this.process("refunds", body, expected);
    this.rename(known, id);
    this.keepReported(id, "processor", "refund");
  }

  async takeBack(wanted: { which: number }) {
    const of = this.pick(this.reported, wanted.which);
    if (of) {
      const body = { original_reference: of.reference, original_kind: of.kind };
      await this.process("reversals", body, this.model.takeBack(of.id));
    }
  }

  private keepReported(id: string, via: string, kind: string): void {
    if (via === "processor") {
      this.reported.push({ id, kind, reference: this.reference });
    }
  }

  /** Renames the refund that has just been made, if any, to the product's id. */
  private rename(knownBefore: number, id: string): void {
    const made = this.model.refunds[knownBefore];
    if (made) {
      made.name = id;
    }
  }

  private cardOf({ id }: { id: string }): number {
    return this.model.authorizations.get(id)?.card ?? 0;
  }

  private pick<T>(from: readonly T[], counted: number): T | undefined {
    return from.length === 0 ? undefined : from[counted % from.length];
  }

  /** Renames the purchase that has just settled, if any, to the product's id. */
  private note(settledBefore: number, at: number, id: string): void {
    const purchase = this.model.purchases[settledBefore];
    if (purchase) {
      purchase.name = id;
      this.purchases.push({ id, card: at });
    }
  }

  private mock(at: number, body: object, expected: Expected): Promise<string> {
    return this.send(`POST /cards/${this.account.cardIds[at]}/mock-transaction`, body, expected);
  }

  private process(path: string, body: object, expected: Expected): Promise<string> {
    this.reference = randomUUID();
    return this.send(`POST /processor/${path}`, { reference: this.reference, ...body }, expected);
  }

  private send(line: string, body: object, expected: Expected): Promise<string> {
    const isNetworks = line.includes("/processor/");
    const key = isNetworks ? this.world.processorKey : this.account.apiKey;
    return sendAct(this.world, { line, key, body, repeated: this.repeated }, expected);
  }
}
