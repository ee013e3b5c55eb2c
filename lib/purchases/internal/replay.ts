import { countIn, isIn } from "#lib/cards/limit-uses.ts";
import type { Counted } from "#lib/cards/limit-uses.ts";
import { toLimitPeriod } from "#lib/base/limit-period.ts";
import type { LimitPeriod } from "#lib/base/limit-period.ts";
import { countsTogether, isFor } from "#lib/cards/spending-controls.ts";
import type { LimitInterval, SpendingControls } from "#lib/cards/spending-controls.ts";
import { toControlled } from "#lib/purchases/internal/controlled.ts";
import type { Merchant } from "#lib/transactions/card-transaction-records.ts";
import { findControlReason } from "#lib/transactions/decline-rules.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import type { LimitUse, LimitUses } from "#db/schema/spending-controls.ts";

/** The parts of a purchase event that a replay needs. Amounts in minor units. */
export interface Act {
  /** By the integrator's clock. */
  at: Date;
  cardId: string;
  /** Of the transaction. */
  id: string;
  authorizationId: string | null;
  kind: "question" | "increment" | "fact" | "capture" | "release";
  amount: number;
  /** What the authorization holds afterward. */
  open: number;
  merchant: Merchant | null;
}

/** An authorization, as it was recorded and as it would have been. */
interface ReplayedRow {
  /** Whether the controls would have declined it. Its captures and increments are then ignored. */
  isDeclined: boolean;
  recordedOpen: number;
  open: number;
  counted: Counted;
}

/** What precedes the replay: the counts by card, and the first id that is replayed. */
interface Before {
  earlier: ReadonlyMap<string, readonly Counted[]>;
  since: string;
}

interface ReplayedCard {
  rows: Map<string, ReplayedRow>;
  uses: LimitUses;
}

/** Replays acts as if the cards had had these controls. Add acts in order, card by card or all cards together. */
export class Replay {
  private readonly cards = new Map<string, ReplayedCard>();
  private readonly periods = new Map<string, LimitPeriod>();

  private readonly controls: SpendingControls;
  private readonly timeZone: string;
  private readonly before: Before;

  constructor(controls: SpendingControls, timeZone: string, before: Before) {
    this.controls = controls;
    this.timeZone = timeZone;
    this.before = before;
  }

  /** How many questions were asked. */
  questions = 0;

  /** @returns why a question would have been declined; null if it would not have been, or if this is no question. */
  add(act: Act): DeclineReason | null {
    const card = this.cardOf(act.cardId);
    return this.steps[act.kind](card, act);
  }

  private readonly steps: Readonly<
    Record<Act["kind"], (card: ReplayedCard, act: Act) => DeclineReason | null>
  > = {
    question: (card, act) => this.ask(card, act),
    increment: (card, act) => {
      const row = card.rows.get(act.id);
      return row && !row.isDeclined ? this.increase(card, row, act) : null;
    },
    fact: (card, act) => {
      this.put(card, act, { isDeclined: false, open: act.open, counted: act.amount });
      return null;
    },
    capture: (card, act) => this.post(card, act),
    release: (card, act) => {
      const row = card.rows.get(act.id);
      if (row && !row.isDeclined) {
        this.release(card, row, act);
      }
      return null;
    },
  };

  /** A capture, or a purchase that was authorized and captured at once. */
  private post(card: ReplayedCard, act: Act): DeclineReason | null {
    const of = act.authorizationId ?? act.id;
    const row = card.rows.get(of);
    if (row) {
      if (!row.isDeclined) {
        this.capture(card, row, act);
      }
      return null;
    }
    // An authorization from before the replay counts as recorded.
    if (of < this.before.since) {
      return null;
    }
    return act.authorizationId === null
      ? this.ask(card, act)
      : this.steps.fact(card, { ...act, open: 0 });
  }

  private ask(card: ReplayedCard, act: Act): DeclineReason | null {
    this.questions += 1;
    const reason = this.decide(card, act);
    this.put(card, act, {
      isDeclined: reason !== null,
      open: reason === null ? act.open : 0,
      counted: reason === null ? act.amount : 0,
    });
    return reason;
  }

  private increase(card: ReplayedCard, row: ReplayedRow, act: Act): DeclineReason | null {
    if (row.open === 0) {
      return this.askAnew(card, row, act);
    }
    this.questions += 1;
    row.recordedOpen += act.amount;
    const reason = this.decide(card, act, row);
    if (reason === null) {
      row.open += act.amount;
      this.recount(card, row, { counted: row.counted.counted + act.amount, countedAt: act.at });
    }
    return reason;
  }

  /** An authorization that would have ended does not grow. An approved increment replaces it for later messages. */
  private askAnew(card: ReplayedCard, row: ReplayedRow, act: Act): DeclineReason | null {
    const recordedOpen = row.recordedOpen + act.amount;
    const reason = this.ask(card, { ...act, id: `${act.id} increment`, open: act.amount });
    const anew = card.rows.get(`${act.id} increment`);
    if (reason === null && anew) {
      anew.recordedOpen = recordedOpen;
      card.rows.set(`${act.id} ended ${card.rows.size}`, row);
      card.rows.set(act.id, anew);
      card.rows.delete(`${act.id} increment`);
    }
    return reason;
  }

  private capture(
    card: ReplayedCard,
    row: ReplayedRow,
    { id, amount, open, at, authorizationId }: Act,
  ) {
    const isFinal = row.recordedOpen - Math.min(amount, row.recordedOpen) > open;
    const held = Math.min(amount, row.open);
    const released = isFinal ? row.open - held : 0;
    row.recordedOpen = open;
    row.open -= held + released;
    const counted = row.counted.counted - released;
    const beyond = amount - held;
    if (authorizationId === null && beyond > 0) {
      this.recount(card, row, { counted: counted + beyond, countedAt: at });
      return;
    }
    this.recount(card, row, { ...row.counted, counted });
    if (beyond > 0) {
      const { category } = row.counted;
      card.rows.set(id, toRow(false, 0, { counted: beyond, countedAt: at, category }));
      card.uses = countIn(card.uses, { counted: beyond, countedAt: at, category });
    }
  }

  private release(card: ReplayedCard, row: ReplayedRow, { amount }: Act): void {
    const released = Math.min(amount, row.open);
    row.recordedOpen -= amount;
    row.open -= released;
    this.recount(card, row, { ...row.counted, counted: row.counted.counted - released });
  }

  private decide(card: ReplayedCard, act: Act, own?: ReplayedRow): DeclineReason | null {
    this.turnTo(card, act.at);
    const asked = {
      amount: act.amount,
      merchant: act.merchant,
      ...(own ? { own: own.counted } : {}),
    };
    return findControlReason(
      toControlled(
        { controls: this.controls, source: "card", timeZone: this.timeZone },
        { uses: card.uses, now: act.at },
        asked,
      ),
      act.amount,
    );
  }

  private put(
    card: ReplayedCard,
    { id, at, merchant, open: recordedOpen }: Act,
    { isDeclined, open, counted }: { isDeclined: boolean; open: number; counted: number },
  ): void {
    const row = toRow(isDeclined, open, {
      counted,
      countedAt: at,
      category: merchant?.mcc ?? null,
    });
    row.recordedOpen = recordedOpen;
    card.rows.set(id, row);
    card.uses = countIn(card.uses, row.counted);
  }

  private recount(
    card: ReplayedCard,
    row: ReplayedRow,
    to: Pick<Counted, "counted" | "countedAt">,
  ) {
    const before = row.counted;
    row.counted = { ...before, ...to };
    card.uses = countIn(countIn(card.uses, { ...before, counted: -before.counted }), row.counted);
  }

  private cardOf(id: string): ReplayedCard {
    const known = this.cards.get(id);
    if (known) {
      return known;
    }
    const limits = this.controls.spending_limits
      .filter(countsTogether)
      .map(({ interval, categories }): LimitUse => ({
        interval,
        categories,
        from: 0,
        to: 0,
        used: 0,
      }));
    const card = { rows: new Map<string, ReplayedRow>(), uses: { zone: this.timeZone, limits } };
    for (const [index, counted] of (this.before.earlier.get(id) ?? []).entries()) {
      card.rows.set(`earlier ${index}`, toRow(false, 0, counted));
    }
    this.cards.set(id, card);
    return card;
  }

  /** Moves limits whose period has passed to their current period, and sums what counts in it. */
  private turnTo(card: ReplayedCard, at: Date): void {
    const { limits } = card.uses;
    if (limits.every((use) => isIn(use, at))) {
      return;
    }
    card.uses = {
      ...card.uses,
      limits: limits.map((use) =>
        isIn(use, at) ? use : addUp({ ...use, ...this.toEnds(use.interval, at) }, card.rows),
      ),
    };
  }

  /** Time zones differ by multiples of 15 minutes, so no period begins within a quarter of an hour. */
  private toEnds(interval: LimitInterval, at: Date): Pick<LimitUse, "from" | "to"> {
    const key = `${interval} ${Math.floor(at.getTime() / QUARTER_MS)}`;
    const period = this.periods.get(key) ?? toLimitPeriod(interval, at, this.timeZone);
    this.periods.set(key, period);
    return { from: period.from?.getTime() ?? null, to: period.to?.getTime() ?? null };
  }
}

function addUp(use: LimitUse, rows: ReadonlyMap<string, ReplayedRow>): LimitUse {
  let used = 0;
  for (const { counted } of rows.values()) {
    if (counted.counted > 0 && isIn(use, counted.countedAt) && isFor(use, counted.category)) {
      used += counted.counted;
    }
  }
  return { ...use, used };
}

const QUARTER_MS = 15 * 60 * 1_000;

function toRow(isDeclined: boolean, open: number, counted: Counted): ReplayedRow {
  return { isDeclined, open, recordedOpen: open, counted };
}
