import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { counter, isNamed, moment, money, toFolded } from "./columns.ts";
import type { StoredApproval } from "./approval-rule.ts";
import type { SpendingControls } from "./spending-controls.ts";

/** How far a sandbox's deadlines may be ahead of real time: ten years of 365 days, in seconds. */
export const CLOCK_OFFSET_MAX_S = 315_360_000;

const CLOCK_RANGE = sql.raw(`between 0 and ${CLOCK_OFFSET_MAX_S}`);

/** The setting that freezes a card after repeated declines, with the member names of the API. */
export interface StoredAutoFreeze {
  declines: number;
  within_minutes: number;
  /** The decline reasons that count; null for all that can. */
  reasons: readonly string[] | null;
}

/** The tenants. `event_sequence` counts the events whose subject is the account itself. */
export const integrators = pgTable(
  "integrators",
  {
    id: uuid("id").primaryKey(),
    businessName: text("business_name").notNull(),
    businessAddress: text("business_address").notNull(),
    domain: text("domain").notNull(),
    email: text("email").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    contactNumber: text("contact_number").notNull(),
    country: text("country").notNull(),
    registrationNumber: text("registration_number").notNull(),
    /** The text on the drawn cards in place of the business name. */
    programName: text("program_name"),
    /** The color of the drawn cards, as `#rrggbb`; without one each card follows its `design_type`. */
    cardColor: text("card_color"),
    /** The IANA name of the zone whose days and clocks the account uses. */
    timeZone: text("time_zone").notNull().default("UTC"),
    currency: text("currency").notNull(),
    environment: text("environment", { enum: ["sandbox", "live"] }).notNull(),
    apiVersion: text("api_version", { enum: ["0.2.0", "0.5.0"] }).notNull(),
    lowBalanceThreshold: money("low_balance_threshold"),
    idempotencyRequired: boolean("idempotency_required").notNull().default(false),
    freezeReasonRequired: boolean("freeze_reason_required").notNull().default(false),
    autoFreeze: jsonb("auto_freeze").$type<StoredAutoFreeze>(),
    /** After how many days without use a card is frozen. */
    idleFreezeDays: smallint("idle_freeze_days"),
    /** Active cards after this one still lack the time at which they become idle. Null when all have it. */
    idleFillAfter: uuid("idle_fill_after"),
    /** What cards without controls of their own may buy; null for everything. */
    spendingControls: jsonb("spending_controls").$type<SpendingControls>(),
    approval: jsonb("approval").$type<StoredApproval>(),
    /** Since when moves above a threshold have needed a second person. */
    approvalSince: moment("approval_since"),
    /** Whether the API log keeps bodies: on from the start in sandbox, off in live. */
    logBodies: boolean("log_bodies").notNull().default(false),
    secondFactorRequired: boolean("second_factor_required").notNull().default(false),
    /** Whether the operator vouches for the identity of its staff. An integrator that signed itself up may name any email. */
    vouched: boolean("vouched").notNull().default(false),
    eventSequence: counter("event_sequence").notNull().default(0),
    /** How far its deadlines are ahead of real time, in seconds; never in live. */
    clockOffsetS: integer("clock_offset_s").notNull().default(0),
    /** The offset that its deadlines are being moved to. Null when they are not being moved. */
    clockTargetS: integer("clock_target_s"),
    /** Since when deadlines are set ahead of real time. */
    clockSince: moment("clock_since"),
    suspendedAt: moment("suspended_at"),
    /** Since when the operator has stopped all changes of this account. */
    stoppedAt: moment("stopped_at"),
    booksUnbalancedAt: moment("books_unbalanced_at"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (table) => [
    unique("integrators_vouched").on(table.vouched, table.id),
    unique("integrators_in_environment").on(table.environment, table.id),
    check("integrators_environment", sql`${table.environment} in ('sandbox', 'live')`),
    // Only sandbox accounts can be in it, so the expiry run finds them without reading all others.
    index("integrators_clock")
      .on(table.id)
      .where(sql`${table.clockSince} is not null`),
    check(
      "integrators_clock_live",
      sql`${table.environment} = 'sandbox' or ${table.clockSince} is null`,
    ),
    check(
      "integrators_clock_since",
      sql`(${table.clockSince} is null) = (${table.clockOffsetS} = 0 and ${table.clockTargetS} is null)`,
    ),
    check(
      "integrators_clock_range",
      sql`${table.clockOffsetS} ${CLOCK_RANGE} and ${table.clockTargetS} ${CLOCK_RANGE}`,
    ),
    index("integrators_idle_fill").on(table.id).where(isNamed(table.idleFillAfter)),
    check("integrators_idle_freeze", sql`${table.idleFreezeDays} between 7 and 730`),
    check(
      "integrators_auto_freeze",
      sql`jsonb_path_exists(${table.autoFreeze}, '$ ? (@.declines >= 2 && @.declines <= 100 && @.within_minutes >= 1 && @.within_minutes <= 1440 && (@.reasons == null || @.reasons[0].type() == "string"))')`,
    ),
    check(
      "integrators_approval",
      sql`jsonb_path_exists(${table.approval}, '$ ? (@.threshold >= 1 && @.threshold <= 9007199254740991 && @.for_keys.type() == "boolean")')`,
    ),
    check(
      "integrators_approval_since",
      sql`(${table.approval} is null) = (${table.approvalSince} is null)`,
    ),
    check("integrators_card_color", sql`${table.cardColor} ~ '^#[0-9a-f]{6}$'`),
    check("integrators_currency", sql`${table.currency} ~ '^[A-Z]{3}$'`),
    check(
      "integrators_threshold",
      sql`${table.lowBalanceThreshold} between 1 and 9007199254740991`,
    ),
  ],
);

/** The owner of a row: the first column of every table of a tenant's records. */
export const integratorId = () =>
  uuid("integrator_id")
    .notNull()
    .references(() => integrators.id);

/** The text that a search for a cardholder looks at. */
export function toSearchedPerson(
  table: Readonly<Record<"firstName" | "lastName" | "email", AnyPgColumn>>,
): SQL {
  return sql`${table.firstName} || ' ' || ${table.lastName} || ' ' || ${table.email}`;
}

/** An email as its index stores it: in lower case, ordered by bytes. Emails with a common prefix form a range. */
function toEmailKey(email: AnyPgColumn): SQL {
  return sql`lower(${email}) collate "C"`;
}

/** Matches the cardholder with this email, in any case. An integrator has at most one. */
export function hasEmail(email: string): SQL {
  const key = toEmailKey(cardholders.email);
  return sql`${isNamed(cardholders.email)} and ${key} = lower(${email})`;
}

/** Matches cardholders whose email has this before its `@`, in any case. `A` is the character after `@`. */
export function hasLocalPart(part: string): SQL {
  const key = toEmailKey(cardholders.email);
  return sql`${isNamed(cardholders.email)} and ${key} >= lower(${part}) || '@' and ${key} < lower(${part}) || 'A'`;
}

/** An erasure that is not complete. Indexes and queries must use exactly this text. */
export const ERASING = sql.raw("erased_at is not null and erasure_passes < 2");

/**
 * The people an integrator issues cards to. Only the last four characters of an identity number are stored.
 */
export const cardholders = pgTable(
  "cardholders",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    email: text("email").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    phoneNumber: text("phone_number").notNull(),
    idType: text("id_type").notNull(),
    idLast4: text("id_last4").notNull(),
    address: jsonb("address")
      .$type<{
        city: string;
        country: string;
        line1: string;
        line2: string | null;
        state: string | null;
        zipCode: string | null;
      }>()
      .notNull(),
    userPhoto: text("user_photo"),
    verified: boolean("verified").notNull(),
    archived: boolean("archived").notNull().default(false),
    /** When the erasure began: from then on, this row has none of their values. */
    erasedAt: moment("erased_at"),
    /** How often the erasure has gone over all other tables; after the second time, it is complete. */
    erasurePasses: smallint("erasure_passes").notNull().default(0),
    eventSequence: counter("event_sequence").notNull().default(0),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    uniqueIndex("cardholders_email")
      .on(table.integratorId, toEmailKey(table.email))
      .where(isNamed(table.email)),
    index("cardholders_archived")
      .on(table.integratorId, table.id)
      .where(sql`${table.archived}`),
    index("cardholders_erasing").on(table.erasedAt).where(ERASING),
    index("cardholders_search")
      .using("gin", sql`${toFolded(toSearchedPerson(table))} gin_trgm_ops`, table.integratorId)
      .with({ fastupdate: false }),
    check("cardholders_id_last4", sql`length(${table.idLast4}) <= 4`),
    check(
      "cardholders_erasure",
      sql`${table.erasurePasses} = 0 or ${table.erasurePasses} between 1 and 2 and ${table.erasedAt} is not null`,
    ),
  ],
);

/**
 * API credentials. A hash is looked up before the tenant is known, so it is unique across tenants. A key
 * without an integrator belongs to the card processor.
 */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: uuid("id").primaryKey(),
    integratorId: uuid("integrator_id").references(() => integrators.id),
    name: text("name").notNull(),
    hash: text("hash").notNull(),
    prefix: text("prefix").notNull(),
    suffix: text("suffix").notNull(),
    scopes: text("scopes").array().notNull(),
    expiresAt: moment("expires_at"),
    createdBy: text("created_by").notNull(),
    /** The member of staff who created it; null for registration and the operator. */
    makerId: uuid("maker_id"),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastUsedAt: moment("last_used_at"),
    revokedAt: moment("revoked_at"),
    /** When two people let it move funds alone, although it is newer than the rule about moves. */
    exemptedAt: moment("exempted_at"),
    /** When the integrator was told that the key ends soon; null again when the key gets another end. */
    endAnnouncedAt: moment("end_announced_at"),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.hash),
    index("api_keys_ending")
      .on(table.expiresAt)
      .where(
        sql`expires_at is not null and end_announced_at is null and revoked_at is null and integrator_id is not null`,
      ),
    index("api_keys_integrator").on(table.integratorId, table.id),
    index("api_keys_maker")
      .on(table.integratorId, table.makerId, table.id)
      .where(sql`maker_id is not null`),
    check("api_keys_hash_form", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    check(
      "api_keys_owner",
      sql`(${table.integratorId} is null) = (${table.scopes} = array['processor'])`,
    ),
  ],
);

/** How often a key called a deprecated operation, and when it last did. */
export const deprecatedUses = pgTable(
  "deprecated_uses",
  {
    integratorId: integratorId(),
    apiKeyId: uuid("api_key_id")
      .notNull()
      .references(() => apiKeys.id),
    operation: text("operation").notNull(),
    calls: integer("calls").notNull(),
    firstAt: moment("first_at").notNull().defaultNow(),
    lastAt: moment("last_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.integratorId, table.apiKeyId, table.operation] })],
);

/** How often a key called a deprecated operation, by UTC day. A row is removed when it is 30 days old. */
export const deprecatedCalls = pgTable(
  "deprecated_calls",
  {
    integratorId: integratorId(),
    apiKeyId: uuid("api_key_id")
      .notNull()
      .references(() => apiKeys.id),
    operation: text("operation").notNull(),
    day: date("day").notNull(),
    calls: integer("calls").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.apiKeyId, table.operation, table.day] }),
    index("deprecated_calls_created_at").on(table.createdAt),
  ],
);
