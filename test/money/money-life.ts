import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import type { Act } from "./money-acts.ts";
import { toId, toOutcome, toPurchase } from "./money-answers.ts";
import { readAccounts, readSpending } from "./money-rows.ts";
import { MoneyModel } from "./money-model.ts";
import type { Expected } from "./money-model.ts";
import { passDeadline, sweepExpired } from "#test/scene/spending.ts";

const FLOAT = 3_000;
const BALANCE = 1_000;

/** Runs the product and its model side by side. */
export class Life {
  readonly model: MoneyModel;
  private repeated = false;
  private readonly integrator: TestIntegrator;
  private readonly cardIds: readonly string[];
  /** Authorizations and purchases by their ids, in order of creation. */
  private readonly holds: { id: string; via: string }[] = [];
  private readonly purchases: { id: string; card: number }[] = [];
  private readonly processorKey: string;

  constructor(integrator: TestIntegrator, cardIds: readonly string[], processorKey: string) {
    this.integrator = integrator;
    this.processorKey = processorKey;
    this.cardIds = cardIds;
    this.model = new MoneyModel(
      FLOAT,
      cardIds.map((_, index) => ({
        status: "active",
        singleUse: index === 2,
        balance: BALANCE,
        held: 0,
      })),
    );
  }

  static async begin(processorKey: string): Promise<Life> {
    const integrator = await newIntegrator(FLOAT + 3 * BALANCE);
    const ids: string[] = [];
    for (const singleUse of [false, false, true]) {
      ids.push((await newCard(integrator, BALANCE, { singleUse })).id);
    }
    return new Life(integrator, ids, processorKey);
  }

  /** Performs one act, possibly repeated under the same key or reference, and compares the results. */
  async live(wanted: Act, repeated: boolean): Promise<void> {
    this.repeated = repeated;
    await (this[wanted.act].bind(this) as (act: Act) => Promise<void>)(wanted);
    await this.compare(JSON.stringify(wanted));
  }

  async topUp(wanted: { amount: number }) {
    const line = "PATCH /card-integrators/top-up-float";
    await this.send(line, { amount: wanted.amount }, this.model.topUp(wanted.amount));
  }

  async credit(wanted: { card: number; amount: number }) {
    const body = { card_id: this.cardIds[wanted.card], amount: wanted.amount };
    const expected = this.model.credit(wanted.card, wanted.amount);
    await this.send("PATCH /cards/credit/balance", body, expected);
  }

  async debit(wanted: { card: number; amount: number | null }) {
    const body = { card_id: this.cardIds[wanted.card], amount: wanted.amount ?? "all" };
    const expected = this.model.debit(wanted.card, wanted.amount ?? "all");
    await this.send("PATCH /cards/debit/balance", body, expected);
  }

  async freeze(wanted: { card: number }) {
    const expected = this.model.setStatus(wanted.card, "frozen");
    await this.send(`PATCH /cards/${this.cardIds[wanted.card]}/freeze`, {}, expected);
  }

  async unfreeze(wanted: { card: number }) {
    const expected = this.model.setStatus(wanted.card, "active");
    await this.send(`PATCH /cards/${this.cardIds[wanted.card]}/unfreeze`, {}, expected);
  }

  async close(wanted: { card: number }) {
    const expected = this.model.close(wanted.card);
    await this.send(`POST /cards/${this.cardIds[wanted.card]}/close`, {}, expected);
  }

  async authorize(wanted: { card: number; amount: number; via: string; forced: string | null }) {
    const cardId = this.cardIds[wanted.card];
    const forced = wanted.via === "mock" ? wanted.forced : null;
    const body = { card_id: cardId, amount: wanted.amount, currency: "USD" };
    // Its id is known only after the response, so the model first uses a temporary name.
    const name = randomUUID();
    const expected = this.model.authorize(name, wanted.card, { ...wanted, forced });
    const id =
      wanted.via === "mock"
        ? await this.mock(wanted.card, toPurchase("authorize", wanted), expected)
        : await this.process("authorizations", body, expected);
    const hold = this.model.authorizations.get(name);
    if (hold) {
      this.model.authorizations.set(id, hold);
    }
    this.holds.push({ id, via: wanted.via });
  }

  async deduct(wanted: { card: number; amount: number; forced: string | null }) {
    const settled = this.model.purchases.length;
    const expected = this.model.deduct("", wanted.card, wanted);
    const body = toPurchase("deduct", wanted);
    this.note(settled, wanted.card, await this.mock(wanted.card, body, expected));
  }

  async capture(wanted: { which: number; amount: number | null; final: boolean }) {
    const hold = this.pick(this.holds, wanted.which);
    if (!hold) {
      return;
    }
    const at = this.cardOf(hold);
    const settled = this.model.purchases.length;
    const amountOf = wanted.amount === null ? {} : { amount: wanted.amount };
    const final = hold.via === "processor" && wanted.final;
    const expected = this.model.capture("", { of: hold.id, amount: wanted.amount, final });
    const id =
      hold.via === "mock"
        ? await this.mock(at, { type: "capture", transaction_id: hold.id, ...amountOf }, expected)
        : await this.process(
            `authorizations/${hold.id}/captures`,
            { ...amountOf, final },
            expected,
          );
    this.note(settled, at, id);
  }

  async captureAbove({ which, percent }: { which: number; percent: number }) {
    const open = this.model.open(this.pick(this.holds, which)?.id);
    const amount = Math.max(1, open + Math.ceil((open * percent) / 100));
    await this.capture({ which, amount, final: false });
  }

  async increment(wanted: { which: number; amount: number }) {
    const hold = this.pick(this.holds, wanted.which);
    if (!hold) {
      return;
    }
    const { amount } = wanted;
    const expected = this.model.increment(hold.id, amount);
    if (hold.via === "mock") {
      const body = { type: "increment", transaction_id: hold.id, amount };
      await this.mock(this.cardOf(hold), body, expected);
    } else {
      await this.process(`authorizations/${hold.id}/increments`, { amount }, expected);
    }
  }

  async reverse(wanted: { which: number; amount: number | null }) {
    const hold = this.pick(this.holds, wanted.which);
    if (!hold) {
      return;
    }
    const at = this.cardOf(hold);
    const amountOf = wanted.amount === null ? {} : { amount: wanted.amount };
    const expected = this.model.reverse(hold.id, wanted.amount);
    if (hold.via === "mock") {
      await this.mock(at, { type: "reversal", transaction_id: hold.id, ...amountOf }, expected);
    } else {
      await this.process(`authorizations/${hold.id}/reversals`, amountOf, expected);
    }
  }

  async expire(wanted: { which: number; early: boolean }) {
    const hold = this.pick(this.holds, wanted.which);
    if (!hold) {
      return;
    }
    const expected = this.model.expire(hold.id);
    if (wanted.early) {
      await this.mock(this.cardOf(hold), { type: "expire", transaction_id: hold.id }, expected);
    } else {
      await passDeadline(this.integrator, hold.id);
      await sweepExpired(this.integrator, hold.id);
    }
  }

  async advance({ days }: { days: number }) {
    const body = { by_seconds: days * 86_400 };
    await this.send("POST /sandbox/clock/advance", body, this.model.advance(days));
  }

  async refund(wanted: { which: number; amount: number | null }) {
    const purchase = this.pick(this.purchases, wanted.which);
    if (!purchase) {
      return;
    }
    const amountOf = wanted.amount === null ? {} : { amount: wanted.amount };
    const expected = this.model.refund({ purchase: purchase.id }, wanted.amount);
    const body = { type: "refund", transaction_id: purchase.id, ...amountOf };
    await this.mock(purchase.card, body, expected);
  }

  async refundPurchase(wanted: { card: number; amount: number }) {
    const expected = this.model.refund({ card: wanted.card }, wanted.amount);
    const body = { type: "deduct-reversal", amount: wanted.amount };
    await this.mock(wanted.card, body, expected);
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
    return this.send(`POST /cards/${this.cardIds[at]}/mock-transaction`, body, expected);
  }

  private process(path: string, body: object, expected: Expected) {
    const referenced = { reference: randomUUID(), ...body };
    return this.send(`POST /processor/${path}`, referenced, expected);
  }

  /** Sends an act, possibly twice, concurrently or in sequence, and expects the model's outcome. */
  private async send(line: string, body: object, expected: Expected): Promise<string> {
    const wanted = {
      key: line.includes("/processor/") ? this.processorKey : this.integrator.apiKey,
      body,
      headers: { "Idempotency-Key": randomUUID() },
    };
    const replies = await Promise.all(
      Array.from({ length: this.repeated ? 2 : 1 }, () => call(line, wanted)),
    );
    if (this.repeated) {
      replies.push(await call(line, wanted));
    }
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const [reply] = replies;
    expect(toOutcome(reply)).toEqual(expected);
    return toId(reply);
  }

  private async compare(after: string): Promise<void> {
    const rows = await readAccounts(this.integrator);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const cards = this.cardIds.map((id, index) => ({
      status: byId.get(id)?.status,
      singleUse: index === 2,
      balance: byId.get(id)?.balance,
      held: byId.get(id)?.held,
    }));
    const float = rows.find(({ status }) => status === null)?.balance;
    expect({ after, float, cards, transactions: await this.readTransactions() }).toEqual({
      after,
      float: this.model.float,
      cards: this.model.cards,
      transactions: {
        purchases: this.model.purchases.map(({ name, amount, refunded }) => [
          name,
          amount,
          refunded,
        ]),
        holds: this.holds.map(({ id }) => {
          const hold = this.model.authorizations.get(id);
          return [id, hold?.state, hold?.captured, hold?.released];
        }),
      },
    });
  }

  /** Purchases per card in the order in which they settled; holds in the order in which they were requested. */
  private async readTransactions() {
    const rows = await readSpending(this.integrator);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return {
      purchases: this.purchases.map(({ id }) => {
        const row = byId.get(id);
        return [id, row?.amount, row?.refunded];
      }),
      holds: this.holds.map(({ id }) => {
        const row = byId.get(id);
        return [id, row?.status, row?.captured, row?.released];
      }),
    };
  }
}
