import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { counter, FEED_POSITION, isNamed, moment, money, NOW, xid8 } from "./columns.ts";
import { integratorId } from "./integrators.ts";
import type { LimitUses, SpendingControls } from "./spending-controls.ts";

const OUTSIDE = sql.raw("('bank', 'network')");
const SAFE = sql.raw("between -9007199254740991 and 9007199254740991");

/**
 * One row per account. `float`, `card`, and `deficit` keep their running balance here; `bank` and `network`, the
 * outside world, keep none, so that no transaction waits for them. Everything that decides about a card's money is in
 * this one row, because one lock must cover it. `rank` is the lock order: cards, then the float, then the deficit,
 * whose balance is what the integrator owes, as a negative number.
 */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    kind: text("kind", { enum: ["card", "float", "deficit", "bank", "network"] }).notNull(),
    rank: smallint("rank").notNull(),
    currency: text("currency").notNull(),
    balance: money("balance"),
    held: money("held"),
    version: counter("version").notNull().default(0),
    eventSequence: counter("event_sequence").notNull().default(0),
    status: text("status", { enum: ["active", "frozen", "closed"] }),
    expiresAt: moment("expires_at"),
    /** When the next of the card's freezes ends automatically; null while none does. */
    freezeDueAt: moment("freeze_due_at"),
    /**
     * When to check whether the card is idle. It becomes idle no earlier than this, but later if it was used in the
     * meantime. Null unless it is active and its integrator freezes idle cards.
     */
    idleDueAt: moment("idle_due_at"),
    singleUse: boolean("single_use"),
    /** The card's own spending controls; null for those of its integrator. */
    spendingControls: jsonb("spending_controls").$type<SpendingControls>(),
    /** What the card has used of its limits: always the sum of what its rows count. Null until somebody asks for it. */
    limitUses: jsonb("limit_uses").$type<LimitUses>(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    unique("ledger_accounts_currency").on(table.integratorId, table.id, table.currency),
    uniqueIndex("ledger_accounts_single")
      .on(table.integratorId, table.currency, table.kind)
      .where(sql`${table.kind} <> 'card'`),
    index("ledger_accounts_status")
      .on(table.integratorId, table.status, table.id)
      .where(sql`${table.status} is not null`),
    index("ledger_accounts_freeze_due").on(table.freezeDueAt).where(isNamed(table.freezeDueAt)),
    index("ledger_accounts_freeze_due_own")
      .on(table.integratorId, table.freezeDueAt)
      .where(isNamed(table.freezeDueAt)),
    index("ledger_accounts_idle_due").on(table.idleDueAt).where(isNamed(table.idleDueAt)),
    index("ledger_accounts_idle_due_own")
      .on(table.integratorId, table.idleDueAt)
      .where(isNamed(table.idleDueAt)),
    check(
      "ledger_accounts_idle_due",
      sql`${table.idleDueAt} is null or ${table.status} = 'active'`,
    ),
    check(
      "ledger_accounts_freeze_due",
      sql`${table.freezeDueAt} is null or ${table.status} = 'frozen'`,
    ),
    check(
      "ledger_accounts_rank",
      sql`${table.rank} = case ${table.kind} when 'card' then 1 when 'float' then 2 else 3 end`,
    ),
    check(
      "ledger_accounts_kind",
      sql`${table.kind} in ('card', 'float', 'deficit', 'bank', 'network')`,
    ),
    check("ledger_accounts_status", sql`${table.status} in ('active', 'frozen', 'closed')`),
    check(
      "ledger_accounts_outside",
      sql`(${table.kind} in ${OUTSIDE}) = (${table.balance} is null) and (${table.balance} is null) = (${table.held} is null)`,
    ),
    check(
      "ledger_accounts_card",
      sql`(${table.kind} = 'card') = (${table.status} is not null) and (${table.kind} = 'card') = (${table.expiresAt} is not null) and (${table.kind} = 'card') = (${table.singleUse} is not null)`,
    ),
    check(
      "ledger_accounts_available",
      sql`case ${table.kind} when 'deficit' then ${table.balance} <= 0 and ${table.held} = 0 else ${table.balance} - ${table.held} >= 0 end`,
    ),
    check(
      "ledger_accounts_controls",
      sql`${table.kind} = 'card' or num_nonnulls(${table.spendingControls}, ${table.limitUses}) = 0`,
    ),
    check("ledger_accounts_held", sql`${table.held} >= 0`),
    check("ledger_accounts_safe", sql`${table.balance} ${SAFE}`),
  ],
);

/**
 * One immutable row per movement of money, from the debited account to the credited one. `xid` lets the
 * running books check continue exactly where its last snapshot ended.
 */
export const transfers = pgTable(
  "transfers",
  {
    integratorId: uuid("integrator_id").notNull(),
    id: uuid("id").notNull(),
    kind: text("kind", {
      enum: [
        "float_top_up",
        "card_credit",
        "card_debit",
        "card_sweep",
        "card_purchase",
        "card_refund",
        "cover",
        "cover_return",
        "deficit_cover",
        "deficit_repayment",
      ],
    }).notNull(),
    currency: text("currency").notNull(),
    debitAccountId: uuid("debit_account_id").notNull(),
    creditAccountId: uuid("credit_account_id").notNull(),
    amount: money("amount").notNull(),
    /** The hash of the key that moved it (`toIdempotencyName`): a key may name a person. */
    idempotencyKey: text("idempotency_key"),
    requestId: text("request_id").notNull(),
    xid: xid8("xid").notNull().default(FEED_POSITION),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    uniqueIndex("transfers_idempotency_key")
      .on(table.integratorId, table.idempotencyKey)
      .where(isNamed(table.idempotencyKey)),
    index("transfers_xid").on(table.xid),
    // Credits and purchases are too frequent to be indexed twice. As transactions, credits are indexed by type.
    index("transfers_rare")
      .on(table.integratorId, table.kind, table.id)
      .where(
        sql`${table.kind} in ('float_top_up', 'card_debit', 'card_sweep', 'cover', 'cover_return', 'deficit_repayment')`,
      ),
    foreignKey({
      name: "transfers_debit_account",
      columns: [table.integratorId, table.currency, table.debitAccountId],
      foreignColumns: [ledgerAccounts.integratorId, ledgerAccounts.currency, ledgerAccounts.id],
    }),
    foreignKey({
      name: "transfers_credit_account",
      columns: [table.integratorId, table.currency, table.creditAccountId],
      foreignColumns: [ledgerAccounts.integratorId, ledgerAccounts.currency, ledgerAccounts.id],
    }),
    check(
      "transfers_kind",
      sql`${table.kind} in ('float_top_up', 'card_credit', 'card_debit', 'card_sweep', 'card_purchase', 'card_refund', 'cover', 'cover_return', 'deficit_cover', 'deficit_repayment')`,
    ),
    check("transfers_amount", sql`${table.amount} between 1 and 1000000000000`),
    check("transfers_accounts", sql`${table.debitAccountId} <> ${table.creditAccountId}`),
  ],
);

/**
 * The two sides of a transfer, signed: negative for the debited account, positive for the credited one. On
 * `float` and `card`, each entry is the account's next version and carries the balance after it, so that a
 * lost update cannot be written. An entry has its account's currency, and so has the transfer whose side it is.
 */
export const entries = pgTable(
  "entries",
  {
    integratorId: uuid("integrator_id").notNull(),
    transferId: uuid("transfer_id").notNull(),
    accountId: uuid("account_id").notNull(),
    currency: text("currency").notNull(),
    amount: money("amount").notNull(),
    accountVersion: counter("account_version"),
    balanceAfter: money("balance_after"),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.transferId, table.accountId] }),
    uniqueIndex("entries_account_version")
      .on(table.integratorId, table.accountId, table.accountVersion)
      .where(isNamed(table.accountVersion)),
    foreignKey({
      name: "entries_transfer",
      columns: [table.integratorId, table.transferId],
      foreignColumns: [transfers.integratorId, transfers.id],
    }),
    foreignKey({
      name: "entries_account",
      columns: [table.integratorId, table.currency, table.accountId],
      foreignColumns: [ledgerAccounts.integratorId, ledgerAccounts.currency, ledgerAccounts.id],
    }),
    check("entries_amount", sql`${table.amount} <> 0`),
    check("entries_version", sql`${table.accountVersion} >= 1`),
    check(
      "entries_running",
      sql`(${table.accountVersion} is null) = (${table.balanceAfter} is null)`,
    ),
    check("entries_safe", sql`${table.balanceAfter} ${SAFE}`),
  ],
);

/**
 * The progress of the two books checks. One row: only the holder of the recent check's lock changes `xid`, below
 * which that check has seen every transfer, and `checked_at`; only the holder of the full check's lock changes
 * `full_checked_at`.
 */
export const booksCheckpoints = pgTable(
  "books_checkpoints",
  {
    id: smallint("id").primaryKey().default(1),
    xid: xid8("xid").notNull(),
    checkedAt: moment("checked_at").notNull(),
    fullCheckedAt: moment("full_checked_at"),
  },
  (table) => [check("books_checkpoints_single", sql`${table.id} = 1`)],
);
