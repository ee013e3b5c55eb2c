import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { counter, FEED_POSITION, isNamed, moment, money, NOW, xid8 } from "./columns.ts";
import type { StoredActor } from "./columns.ts";
import { FREEZE_REASONS } from "./freeze-reasons.ts";
import { cardholders } from "./integrators.ts";
import { ledgerAccounts, transfers } from "./ledger.ts";

const REASONS = sql.raw(`(${FREEZE_REASONS.map((reason) => `'${reason}'`).join(", ")})`);

/**
 * Describes a card. Everything that decides about its money is in its ledger account, whose id is the card's.
 * These columns change only while that account row is locked. The full card number and the CVV are stored
 * nowhere.
 */
export const cards = pgTable(
  "cards",
  {
    integratorId: uuid("integrator_id").notNull(),
    id: uuid("id").notNull(),
    currency: text("currency").notNull(),
    cardholderId: uuid("cardholder_id").notNull(),
    cardName: text("card_name").notNull(),
    firstSix: text("first_six").notNull(),
    last4: text("last4").notNull(),
    designType: text("design_type").notNull(),
    singleUse: boolean("single_use").notNull(),
    provider: text("provider").notNull(),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull(),
    /** Increases by 1 with each change of the status, which is in the ledger account, and each amendment of a freeze. */
    statusVersion: integer("status_version").notNull().default(1),
    frozenAt: moment("frozen_at"),
    /** The gravest of the reasons that were given since the card was frozen. */
    freezeReason: text("freeze_reason", { enum: FREEZE_REASONS }),
    freezeReasons: text("freeze_reasons", { enum: FREEZE_REASONS }).array(),
    freezeComment: text("freeze_comment"),
    frozenBy: jsonb("frozen_by").$type<StoredActor>(),
    createdAt: moment("created_at").notNull().default(NOW),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    foreignKey({
      name: "cards_account",
      columns: [table.integratorId, table.currency, table.id],
      foreignColumns: [ledgerAccounts.integratorId, ledgerAccounts.currency, ledgerAccounts.id],
    }),
    foreignKey({
      name: "cards_cardholder",
      columns: [table.integratorId, table.cardholderId],
      foreignColumns: [cardholders.integratorId, cardholders.id],
    }),
    uniqueIndex("cards_id").on(table.id),
    index("cards_cardholder")
      .on(table.integratorId, table.cardholderId, table.id)
      .where(isNamed(table.cardholderId)),
    index("cards_last4").on(table.integratorId, table.last4, table.id).where(isNamed(table.last4)),
    // The most selective column comes first in a GIN index, which walks its columns' lists in order.
    index("cards_name")
      .using("gin", table.cardName.op("gin_trgm_ops"), table.integratorId)
      .with({ fastupdate: false }),
    // Cards without metadata are not in it and cost nothing.
    index("cards_metadata")
      .using("gin", table.metadata.op("jsonb_path_ops"), table.integratorId)
      .with({ fastupdate: false })
      .where(sql`${table.metadata} <> '{}'::jsonb`),
    check("cards_number", sql`${table.firstSix} ~ '^[0-9]{6}$' and ${table.last4} ~ '^[0-9]{4}$'`),
    check("cards_freeze_reason", sql`${table.freezeReason} in ${REASONS}`),
    check("cards_freeze", sql`(${table.frozenAt} is null) = (${table.frozenBy} is null)`),
    check(
      "cards_freeze_comment",
      sql`${table.freezeReason} <> 'other' or ${table.freezeComment} is not null`,
    ),
  ],
);

/**
 * The history of a card's states, append-only. A comment is among the `personal_values`. `xid` lets the rollup continue
 * where it ended.
 */
export const cardStateChanges = pgTable(
  "card_state_changes",
  {
    integratorId: uuid("integrator_id").notNull(),
    id: uuid("id").notNull(),
    cardId: uuid("card_id").notNull(),
    fromStatus: text("from_status", { enum: ["active", "frozen"] }),
    toStatus: text("to_status", { enum: ["active", "frozen", "closed"] }).notNull(),
    reason: text("reason", { enum: FREEZE_REASONS }),
    actor: jsonb("actor").$type<StoredActor>().notNull(),
    requestId: text("request_id").notNull(),
    xid: xid8("xid").notNull().default(FEED_POSITION),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    index("card_state_changes_xid").on(table.xid),
    foreignKey({
      name: "card_state_changes_card",
      columns: [table.integratorId, table.cardId],
      foreignColumns: [cards.integratorId, cards.id],
    }),
    index("card_state_changes_card").on(table.integratorId, table.cardId, table.id),
    check("card_state_changes_from", sql`${table.fromStatus} in ('active', 'frozen')`),
    check("card_state_changes_to", sql`${table.toStatus} in ('active', 'frozen', 'closed')`),
    check("card_state_changes_reason", sql`${table.reason} in ${REASONS}`),
  ],
);

/**
 * The text that transactions are searched by, concatenated. Its index has statistics, with which the planner
 * distinguishes a rare word (looked up) from a common one (found soon among the newest rows); a partial index
 * would have none.
 */
export function toSearchedText(
  table: Record<"narrative" | "merchant" | "declineReason", AnyPgColumn>,
): SQL {
  return sql`(coalesce(${table.narrative}, '') || ' ' || coalesce(${table.merchant}->>'name', '') || ' '
    || coalesce(${table.declineReason} || ' ' || replace(${table.declineReason}, '_', ' '), ''))`;
}

/** Part of a hold is neither captured nor released yet. Indexes and queries must use exactly this text. */
export const OPEN_HOLD = sql.raw("hold_captured + hold_released < hold_amount");

/** Constraints on a transaction's hold and its refunds. */
const HOLD_CHECKS = [
  check("transactions_version", sql`(status = 'settled') = (account_version is not null)`),
  check(
    "transactions_hold",
    sql`num_nonnulls(hold_amount, hold_captured, hold_released, hold_expires_at) = 0
      or coalesce(type = 'deduct' and authorization_id is null and hold_expires_at is not null
        and hold_amount >= 1 and hold_captured >= 0 and hold_released >= 0
        and hold_captured + hold_released <= hold_amount, false)`,
  ),
  check(
    "transactions_hold_status",
    sql`case status
      when 'authorized' then coalesce(hold_captured = 0 and hold_released < hold_amount, false)
      when 'reversed' then coalesce(hold_released = hold_amount, false)
      when 'expired' then coalesce(hold_released = hold_amount, false)
      when 'declined' then hold_amount is null
      else hold_amount is null or hold_captured >= 1 end`,
  ),
  check(
    "transactions_refunded",
    sql`refunded between 0 and amount and (refunded = 0 or (type = 'deduct' and status = 'settled'))`,
  ),
  check("transactions_refund", sql`(type = 'deduct-reversal') = (refund_of is not null)`),
];

/**
 * What an integrator calls a transaction: a movement between its float and a card, or a purchase made with
 * the card. An authorization also carries its hold: of `hold_amount`, `hold_captured` became a purchase and
 * `hold_released` was released; the rest is still held. `refunded` is how much of a settled purchase has been
 * refunded. `address` is the client's, where no row of the audit log has it. A row changes only while its card's account is
 * locked.
 */
export const transactions = pgTable(
  "transactions",
  {
    integratorId: uuid("integrator_id").notNull(),
    id: uuid("id").notNull(),
    cardId: uuid("card_id").notNull(),
    transferId: uuid("transfer_id"),
    type: text("type", { enum: ["credit", "debit", "deduct", "deduct-reversal"] }).notNull(),
    status: text("status", {
      enum: ["authorized", "settled", "declined", "reversed", "expired"],
    }).notNull(),
    amount: money("amount").notNull(),
    currency: text("currency").notNull(),
    accountVersion: counter("account_version"),
    cardBalanceBefore: money("card_balance_before").notNull(),
    cardBalanceAfter: money("card_balance_after").notNull(),
    narrative: text("narrative"),
    merchant: jsonb("merchant").$type<{
      name: string;
      mcc: string | null;
      city: string | null;
      country: string | null;
    }>(),
    declineReason: text("decline_reason"),
    declineExplanation: text("decline_explanation"),
    declineForced: boolean("decline_forced").notNull().default(false),
    authorizationId: uuid("authorization_id"),
    refundOf: uuid("refund_of"),
    refunded: money("refunded").notNull().default(0),
    holdAmount: money("hold_amount"),
    holdCaptured: money("hold_captured"),
    holdReleased: money("hold_released"),
    holdExpiresAt: moment("hold_expires_at"),
    actor: jsonb("actor").$type<StoredActor>().notNull(),
    requestId: text("request_id").notNull(),
    address: text("address"),
    createdAt: moment("created_at").notNull().default(NOW),
    settledAt: moment("settled_at"),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    foreignKey({
      name: "transactions_card",
      columns: [table.integratorId, table.cardId],
      foreignColumns: [cards.integratorId, cards.id],
    }),
    foreignKey({
      name: "transactions_transfer",
      columns: [table.integratorId, table.transferId],
      foreignColumns: [transfers.integratorId, transfers.id],
    }),
    foreignKey({
      name: "transactions_authorization",
      columns: [table.integratorId, table.authorizationId],
      foreignColumns: [table.integratorId, table.id],
    }),
    foreignKey({
      name: "transactions_refund_of",
      columns: [table.integratorId, table.refundOf],
      foreignColumns: [table.integratorId, table.id],
    }),
    index("transactions_card")
      .on(table.integratorId, table.cardId, table.id)
      .where(isNamed(table.cardId)),
    uniqueIndex("transactions_account_version")
      .on(table.integratorId, table.cardId, table.accountVersion)
      .where(sql`account_version is not null`),
    index("transactions_captures")
      .on(table.integratorId, table.authorizationId)
      .where(sql`authorization_id is not null`),
    index("transactions_refunds")
      .on(table.integratorId, table.refundOf)
      .where(sql`refund_of is not null`),
    index("transactions_open_holds").on(table.integratorId, table.cardId).where(OPEN_HOLD),
    index("transactions_hold_expiry").on(table.holdExpiresAt).where(OPEN_HOLD),
    index("transactions_kind")
      .on(table.integratorId, table.type, table.status, table.id)
      .where(isNamed(table.type)),
    index("transactions_declines")
      .on(table.integratorId, table.declineReason, table.id)
      .where(sql`decline_reason is not null`),
    index("transactions_amount")
      .on(table.integratorId, table.amount, table.id)
      .where(isNamed(table.amount)),
    // Every search reads the whole pending list of the index, so we keep it short.
    index("transactions_text")
      .using("gin", sql`${toSearchedText(table)} gin_trgm_ops`, table.integratorId)
      .with({ gin_pending_list_limit: 64 }),
    check(
      "transactions_type",
      sql`${table.type} in ('credit', 'debit', 'deduct', 'deduct-reversal')`,
    ),
    check(
      "transactions_status",
      sql`${table.status} in ('authorized', 'settled', 'declined', 'reversed', 'expired')`,
    ),
    check("transactions_amount", sql`${table.amount} between 1 and 9007199254740991`),
    check(
      "transactions_settled",
      sql`(${table.status} = 'settled') = (${table.settledAt} is not null) and (${table.status} = 'settled') = (${table.transferId} is not null)`,
    ),
    check(
      "transactions_declined",
      sql`(${table.status} = 'declined') = (${table.declineReason} is not null) and (${table.declineReason} is null) = (${table.declineExplanation} is null)`,
    ),
    ...HOLD_CHECKS,
  ],
);
