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
import { FEED_POSITION, isNamed, moment, money, NOW, toFolded, toList, xid8 } from "./columns.ts";
import type { StoredActor } from "./columns.ts";
import { FREEZE_LEVELS, FREEZE_REASONS, WHOLE_FREEZE } from "./freeze-reasons.ts";
import { cardholders } from "./integrators.ts";
import { ledgerAccounts } from "./ledger.ts";

const REASONS = toList(FREEZE_REASONS);
const LEVELS = toList(FREEZE_LEVELS);

/** A freeze in effect. Times in RFC 3339. */
export interface StoredFreeze {
  frozen_at: string;
  /** When it ends automatically; null if it does not. */
  until: string | null;
  /** The gravest reason that was given for it, with that reason's comment and actor. */
  reason: (typeof FREEZE_REASONS)[number] | null;
  reasons: readonly (typeof FREEZE_REASONS)[number][];
  comment: string | null;
  actor: StoredActor;
}

/** The freezes of a card, each under its level. */
export type StoredFreezes = Partial<Record<(typeof FREEZE_LEVELS)[number], StoredFreeze>>;

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
    /** The length of its validity when it was issued, in days. */
    validityDays: integer("validity_days").notNull(),
    /** The card that it was issued to replace. */
    replaces: uuid("replaces"),
    /** The card that was issued to replace it, at most once. */
    replacedBy: uuid("replaced_by"),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull(),
    /** Increases by 1 with each freeze, each amendment of one, each lift, and when the card is closed. */
    statusVersion: integer("status_version").notNull().default(1),
    /** The freezes in effect; null without any. They determine the status in the card's account. */
    freezes: jsonb("freezes").$type<StoredFreezes>(),
    /**
     * What float and deficit paid for overdrafts of its purchases and have not got back. A trigger on `transactions`
     * maintains it.
     */
    coverOutstanding: money("cover_outstanding").notNull().default(0),
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
    foreignKey({
      name: "cards_replaces",
      columns: [table.integratorId, table.replaces],
      foreignColumns: [table.integratorId, table.id],
    }),
    foreignKey({
      name: "cards_replaced_by",
      columns: [table.integratorId, table.replacedBy],
      foreignColumns: [table.integratorId, table.id],
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
    index("cards_cover_outstanding")
      .on(table.integratorId, table.id)
      .where(sql`cover_outstanding > 0`),
    check("cards_cover_outstanding", sql`${table.coverOutstanding} >= 0`),
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
 * The history of a card's states, append-only. A comment is among the `personal_values`. A row with a `level` is
 * about a freeze, which was made or amended and ends at `until`, or was `lifted`, automatically if the row has an
 * `until`. `xid` lets the rollup continue where it ended.
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
