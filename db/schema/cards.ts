import { sql } from "drizzle-orm";
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
import {
  counter,
  FEED_POSITION,
  isNamed,
  moment,
  money,
  NOW,
  toFolded,
  toList,
  xid8,
} from "./columns.ts";
import type { StoredActor } from "./columns.ts";
import { FREEZE_LEVELS, FREEZE_REASONS } from "./freeze-reasons.ts";
import type { AuthorizedAs, Merchant } from "./descriptions.ts";
import { cardholders } from "./integrators.ts";
import { toSearchedText } from "./searched-text.ts";
import { ledgerAccounts, transfers } from "./ledger.ts";
import { POSTED_AS } from "./posted-as.ts";
import { TRANSACTION_CHECKS } from "./transaction-checks.ts";

const REASONS = toList(FREEZE_REASONS);
const LEVELS = toList(FREEZE_LEVELS);

/** A freeze that stands. Times in RFC 3339. */
export interface StoredFreeze {
  frozen_at: string;
  /** When it ends by itself; null if it does not. */
  until: string | null;
  /** The gravest of the reasons that it was given, with its comment and actor. */
  reason: (typeof FREEZE_REASONS)[number] | null;
  reasons: readonly (typeof FREEZE_REASONS)[number][];
  comment: string | null;
  actor: StoredActor;
}

/** The freezes of a card, each under its level. */
export type StoredFreezes = Partial<Record<(typeof FREEZE_LEVELS)[number], StoredFreeze>>;

/** What a freeze must be, as a JSON path. `other` requires a comment. */
const WHOLE_FREEZE = [
  '@.frozen_at.type() == "string"',
  '@.actor.type() == "object"',
  '(@.until == null || @.until.type() == "string")',
  `(@.reason == null || ${FREEZE_REASONS.map((reason) => `@.reason == "${reason}"`).join(" || ")})`,
  '(@.reason != "other" || @.comment.type() == "string")',
].join(" && ");

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
    /** Increases by 1 with each freeze, each amendment of one, each lift, and when the card is closed. */
    statusVersion: integer("status_version").notNull().default(1),
    /** The freezes that stand; null while none does. The card's account has the status that follows from them. */
    freezes: jsonb("freezes").$type<StoredFreezes>(),
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
      .using("gin", sql`${toFolded(table.cardName)} gin_trgm_ops`, table.integratorId)
      .with({ fastupdate: false }),
    // Cards without metadata are not in it and cost nothing.
    index("cards_metadata")
      .using("gin", table.metadata.op("jsonb_path_ops"), table.integratorId)
      .with({ fastupdate: false })
      .where(sql`${table.metadata} <> '{}'::jsonb`),
    check("cards_number", sql`${table.firstSix} ~ '^[0-9]{6}$' and ${table.last4} ~ '^[0-9]{4}$'`),
    check(
      "cards_freeze_levels",
      sql`${table.freezes} <> '{}' and ${table.freezes} - array${sql.raw(`['${FREEZE_LEVELS.join("', '")}']`)} = '{}'`,
    ),
    check(
      "cards_freeze_whole",
      sql`not jsonb_path_exists(${table.freezes}, ${sql.raw(`'$.* ? (!(${WHOLE_FREEZE}))'`)})`,
    ),
  ],
);

/**
 * The history of a card's states, append-only. A comment is among the `personal_values`. With the `level` of a freeze, it
 * was made or amended, and ends at `until`; or it was `lifted`, by itself if it has an `until`. `xid` lets the rollup
 * continue where it ended.
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
    level: text("level", { enum: FREEZE_LEVELS }),
    lifted: boolean("lifted").notNull().default(false),
    until: moment("until"),
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
    check("card_state_changes_level", sql`${table.level} in ${LEVELS}`),
    check(
      "card_state_changes_freeze",
      sql`(${table.level} is not null) = (${table.fromStatus} = 'frozen' and ${table.toStatus} <> 'closed' or ${table.toStatus} = 'frozen')`,
    ),
  ],
);

/** Part of a hold is neither captured nor released yet. Indexes and queries must use exactly this text. */
export const OPEN_HOLD = sql.raw("hold_captured + hold_released < hold_amount");

/**
 * What an integrator calls a transaction: a movement between its float and a card, a purchase made with the card, or a
 * verification of it, of the amount 0. An authorization also carries its hold: of `hold_amount`, `hold_captured` became a
 * purchase and `hold_released` was released; the rest is still held. `refunded` is how much of a settled purchase has been
 * refunded, at most all of it; a refund of more `refund_exceeds`. What float and deficit paid of a purchase is
 * `covered_…`; the credits that brought it to the card, and the debits that took it back after a refund, name the purchase
 * as `cover_of`. `requested_amount` is what was asked for when only a part of it was approved. `as_received` is what the
 * card network sent for each member of the description that had to be cleaned, by its path, and `merchant_amount` what the
 * merchant charged in its own currency. `occurred_at` is when it happened by the network's clock. What a clearing says of these is
 * laid over what its authorization said, which `authorized_as` then keeps. `address` is the client's, where no row of the audit log has it. A row changes
 * only while its card's account is locked.
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
      enum: ["authorized", "settled", "declined", "reversed", "expired"],
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
    authorizationId: uuid("authorization_id"),
    postedAs: text("posted_as", { enum: POSTED_AS }),
    coveredFloat: money("covered_float"),
    coveredDeficit: money("covered_deficit"),
    coverOf: uuid("cover_of"),
    refundOf: uuid("refund_of"),
    refunded: money("refunded").notNull().default(0),
    refundExceeds: boolean("refund_exceeds"),
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
    foreignKey({
      name: "transactions_cover_of",
      columns: [table.integratorId, table.coverOf],
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
    index("transactions_open_holds").on(table.integratorId, table.cardId).where(OPEN_HOLD),
    index("transactions_hold_expiry").on(table.holdExpiresAt).where(OPEN_HOLD),
    index("transactions_kind")
      .on(table.integratorId, table.type, table.status, table.id)
      .where(isNamed(table.type)),
    index("transactions_declines")
      .on(table.integratorId, table.declineReason, table.id)
      .where(sql`decline_reason is not null`),
    // Without the id: amounts recur, and equal keys share their space. What is found is sorted anyway.
    index("transactions_amount").on(table.integratorId, table.amount).where(isNamed(table.amount)),
    // Every search reads the whole pending list of the index, so we keep it short.
    index("transactions_text")
      .using("gin", sql`${toFolded(toSearchedText(table))} gin_trgm_ops`, table.integratorId)
      .with({ gin_pending_list_limit: 64 })
      .where(isNamed(toSearchedText(table))),
    ...TRANSACTION_CHECKS,
  ],
);
