import { sql } from "drizzle-orm";
import {
  boolean,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { PgColumn } from "drizzle-orm/pg-core";
import { cards } from "./cards.ts";
import { counter, isNamed, moment, money, NOW, toFolded } from "./columns.ts";
import type { StoredActor } from "./columns.ts";
import type { AuthorizedAs, Merchant } from "./descriptions.ts";
import { transfers } from "./ledger.ts";
import { POSTED_AS } from "./posted-as.ts";
import { toSearchedText } from "./searched-text.ts";
import { toSpendIndexes } from "./spend.ts";
import { TRANSACTION_CHECKS } from "./transaction-checks.ts";

/** Part of a hold is neither captured nor released yet. Indexes and queries must use exactly this text. */
export const OPEN_HOLD = sql.raw("hold_captured + hold_released < hold_amount");

/** A purchase uses its card's spending limits. Indexes and queries must use exactly this text. */
export const COUNTED = sql.raw("counted > 0");

/**
 * The merchant category code of a purchase, as its authorization said: a clearing with a different one does not
 * change what was decided. Null if it is unknown.
 */
export const COUNTED_CATEGORY = sql.raw(
  "(case when authorized_as is null then merchant else authorized_as -> 'merchant' end ->> 'mcc')",
);

/**
 * What an integrator calls a transaction: a movement between its float and a card, a purchase made with the card, or
 * a verification of it, of the amount 0. A row changes only while its card's account is locked.
 *
 * An authorization also carries its hold: of `hold_amount`, `hold_captured` became a purchase and `hold_released` was
 * released; the rest is still held. One that arrives after its captures is `captured` once nothing is left to hold:
 * its captures moved the funds. An authorization that increased one that had ended names it as `increment_of`, as
 * does each decline of an increment. `requested_amount` is what was asked for when only a part of it was approved. An
 * authorization that the card network has `approved_by` itself, in our place, names the `overruled_decline` that our
 * rules would have given.
 *
 * `refunded` is how much of a settled purchase has been refunded, net of refunds that were taken back, and at most
 * all of it; a refund of more `refund_exceeds`. A purchase or a refund that the card network has taken back keeps
 * what it was: a row of its own `takes_back` the original, and `taken_back` of the original is then its whole amount.
 * What float and deficit paid of a purchase is `covered_…`; the credits that brought it to the card, and the debits
 * that took it back after a refund, name the purchase as `cover_of`.
 *
 * `counted` is how much of a purchase uses the card's spending limits, in the period of `counted_at` by the
 * integrator's clock: when it was approved or posted, or last grew.
 *
 * `as_received` is what the card network sent for each member of the description that had to be cleaned, by its path,
 * and `merchant_amount` what the merchant charged in its own currency. `occurred_at` is when it happened by the
 * network's clock. A clearing's values for these replace those of its authorization, which `authorized_as` then
 * keeps. `address` is the client's, unless a row of the audit log has it.
 */
export const transactions = pgTable(
  "transactions",
  {
    integratorId: uuid("integrator_id").notNull(),
    id: uuid("id").notNull(),
    cardId: uuid("card_id").notNull(),
    transferId: uuid("transfer_id"),
    type: text("type", {
      enum: ["credit", "debit", "deduct", "deduct-reversal", "verification"],
    }).notNull(),
    status: text("status", {
      enum: ["authorized", "captured", "settled", "declined", "reversed", "expired"],
    }).notNull(),
    amount: money("amount").notNull(),
    requestedAmount: money("requested_amount"),
    currency: text("currency").notNull(),
    accountVersion: counter("account_version"),
    cardBalanceBefore: money("card_balance_before").notNull(),
    cardBalanceAfter: money("card_balance_after").notNull(),
    narrative: text("narrative"),
    merchant: jsonb("merchant").$type<Merchant>(),
    asReceived: jsonb("as_received").$type<Readonly<Record<string, string>>>(),
    merchantAmount: money("merchant_amount"),
    merchantCurrency: text("merchant_currency"),
    occurredAt: moment("occurred_at"),
    authorizedAs: jsonb("authorized_as").$type<AuthorizedAs>(),
    declineReason: text("decline_reason"),
    declineExplanation: text("decline_explanation"),
    declineForced: boolean("decline_forced").notNull().default(false),
    /** Of a decline: what other purchases held on the card, so that its available balance is known. */
    heldBefore: money("held_before"),
    approvedBy: text("approved_by", { enum: ["network"] }),
    overruledDecline: text("overruled_decline"),
    authorizationId: uuid("authorization_id"),
    incrementOf: uuid("increment_of"),
    postedAs: text("posted_as", { enum: POSTED_AS }),
    coveredFloat: money("covered_float"),
    coveredDeficit: money("covered_deficit"),
    coverOf: uuid("cover_of"),
    refundOf: uuid("refund_of"),
    refunded: money("refunded").notNull().default(0),
    refundExceeds: boolean("refund_exceeds"),
    takesBack: uuid("takes_back"),
    takenBack: money("taken_back").notNull().default(0),
    holdAmount: money("hold_amount"),
    holdCaptured: money("hold_captured"),
    holdReleased: money("hold_released"),
    holdExpiresAt: moment("hold_expires_at"),
    counted: money("counted"),
    countedAt: moment("counted_at"),
    actor: jsonb("actor").$type<StoredActor>().notNull(),
    requestId: text("request_id").notNull(),
    address: text("address"),
    createdAt: moment("created_at").notNull().default(NOW),
    settledAt: moment("settled_at"),
  },
  (table) => {
    const refer = (
      name: string,
      column: PgColumn,
      to: [PgColumn, PgColumn] = [table.integratorId, table.id],
    ) => foreignKey({ name, columns: [table.integratorId, column], foreignColumns: to });
    return [
      primaryKey({ columns: [table.integratorId, table.id] }),
      refer("transactions_card", table.cardId, [cards.integratorId, cards.id]),
      refer("transactions_transfer", table.transferId, [transfers.integratorId, transfers.id]),
      refer("transactions_authorization", table.authorizationId),
      refer("transactions_increment_of", table.incrementOf),
      refer("transactions_refund_of", table.refundOf),
      refer("transactions_cover_of", table.coverOf),
      refer("transactions_takes_back", table.takesBack),
      index("transactions_card")
        .on(table.integratorId, table.cardId, table.id)
        .where(isNamed(table.cardId)),
      uniqueIndex("transactions_account_version")
        .on(table.integratorId, table.cardId, table.accountVersion)
        .where(sql`account_version is not null`),
      index("transactions_captures")
        .on(table.integratorId, table.authorizationId)
        .where(sql`authorization_id is not null`),
      index("transactions_increments")
        .on(table.integratorId, table.incrementOf, table.id)
        .where(sql`increment_of is not null`),
      index("transactions_refunds")
        .on(table.integratorId, table.refundOf)
        .where(sql`refund_of is not null`),
      // Once per original.
      uniqueIndex("transactions_taken_back")
        .on(table.integratorId, table.takesBack)
        .where(sql`takes_back is not null`),
      index("transactions_covers")
        .on(table.integratorId, table.coverOf)
        .where(sql`cover_of is not null`),
      // What the network posted without an approval is rare, and so is what it posted and the card could not pay.
      index("transactions_posted_as")
        .on(table.integratorId, table.postedAs, table.id)
        .where(sql`posted_as <> 'authorized'`),
      index("transactions_covered")
        .on(table.integratorId, table.id)
        .where(sql`covered_float is not null`),
      // Ends with what it sums, so that no row is read for it.
      index("transactions_counted")
        .on(table.integratorId, table.cardId, table.countedAt, table.counted)
        .where(COUNTED),
      index("transactions_open_holds").on(table.integratorId, table.cardId).where(OPEN_HOLD),
      index("transactions_hold_expiry").on(table.holdExpiresAt).where(OPEN_HOLD),
      index("transactions_kind")
        .on(table.integratorId, table.type, table.status, table.id)
        .where(isNamed(table.type)),
      index("transactions_declines")
        .on(table.integratorId, table.declineReason, table.id)
        .where(sql`decline_reason is not null`),
      // Without the id: amounts recur, and equal keys share their space. What is found is sorted anyway.
      index("transactions_amount")
        .on(table.integratorId, table.amount)
        .where(isNamed(table.amount)),
      ...toSpendIndexes(table),
      // Every search reads the whole pending list of the index, so we keep it short.
      index("transactions_text")
        .using("gin", sql`${toFolded(toSearchedText(table))} gin_trgm_ops`, table.integratorId)
        .with({ gin_pending_list_limit: 64 })
        .where(isNamed(toSearchedText(table))),
      ...TRANSACTION_CHECKS,
    ];
  },
);
