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
import { counter, isNamed, moment, NOW } from "./columns.ts";
import type { StoredActor } from "./columns.ts";
import { integratorId, integrators } from "./integrators.ts";

const ROLES = ["owner", "admin", "operator", "viewer"] as const;

/** Who gets messages: all staff except viewers, few on any staff. Index and query must use exactly this text. */
export const IS_TOLD = sql.raw("removed_at is null and role <> 'viewer'");

/**
 * People of an integrator who may sign in. Until its person is removed, an email is unique among vouched integrators,
 * and unique among all others, so that a person who signs up cannot block the email's real owner. Without a password,
 * a person can sign in only through an identity provider.
 */
export const staff = pgTable(
  "staff",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    email: text("email").notNull(),
    /** Equals the integrator's `vouched`: a trigger sets it, and the foreign key keeps it equal. */
    emailVouched: boolean("email_vouched").notNull().default(false),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    role: text("role", { enum: ROLES }).notNull(),
    passwordHash: text("password_hash"),
    /** Encrypted. Not required at sign-in until it is confirmed. */
    totpSecret: text("totp_secret"),
    totpConfirmedAt: moment("totp_confirmed_at"),
    /** The last time step whose code was accepted: no code is accepted twice. */
    totpStep: counter("totp_step"),
    /** When a one-time link last set the password, and who created it; null once the person chose another. */
    passwordResetAt: moment("password_reset_at"),
    passwordResetBy: jsonb("password_reset_by").$type<StoredActor>(),
    signedInAt: moment("signed_in_at"),
    /** The topics that they do not want mail about. */
    mutedTopics: text("muted_topics").array().notNull().default([]),
    removedAt: moment("removed_at"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    foreignKey({
      name: "staff_vouched",
      columns: [table.integratorId, table.emailVouched],
      foreignColumns: [integrators.id, integrators.vouched],
    }).onUpdate("cascade"),
    uniqueIndex("staff_email")
      .on(sql`lower(${table.email})`, table.emailVouched)
      .where(sql`${table.removedAt} is null`),
    index("staff_told").on(table.integratorId, table.role).where(IS_TOLD),
    check("staff_role", sql`${table.role} in ('owner', 'admin', 'operator', 'viewer')`),
  ],
);

/** Codes that replace a lost second factor, each usable once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    integratorId: uuid("integrator_id").notNull(),
    staffId: uuid("staff_id").notNull(),
    hash: text("hash").notNull(),
    usedAt: moment("used_at"),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.staffId, table.hash] }),
    foreignKey({
      name: "recovery_codes_staff",
      columns: [table.integratorId, table.staffId],
      foreignColumns: [staff.integratorId, staff.id],
    }),
  ],
);

/**
 * Open sessions. The cookie holds a random token; only its hash is stored. Looked up before the tenant is
 * known.
 */
export const staffSessions = pgTable(
  "staff_sessions",
  {
    id: uuid("id").primaryKey(),
    tokenHash: text("token_hash").notNull(),
    integratorId: uuid("integrator_id").notNull(),
    staffId: uuid("staff_id").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
    seenAt: moment("seen_at").notNull().default(NOW),
    /** When the person last authenticated. */
    confirmedAt: moment("confirmed_at").notNull().default(NOW),
    endedAt: moment("ended_at"),
    address: text("address"),
    /** The network of the address, as rate limits count it. */
    network: text("network"),
    agent: text("agent"),
  },
  (table) => [
    uniqueIndex("staff_sessions_token").on(table.tokenHash),
    index("staff_sessions_staff").on(table.integratorId, table.staffId, table.createdAt),
    index("staff_sessions_age").on(table.createdAt),
    foreignKey({
      name: "staff_sessions_staff",
      columns: [table.integratorId, table.staffId],
      foreignColumns: [staff.integratorId, staff.id],
    }),
  ],
);

/** One-time links: an invitation creates a staff member, a password reset sets a new password. */
export const staffLinks = pgTable(
  "staff_links",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    kind: text("kind", { enum: ["invitation", "password_reset"] }).notNull(),
    tokenHash: text("token_hash").notNull(),
    email: text("email").notNull(),
    role: text("role", { enum: ROLES }),
    staffId: uuid("staff_id"),
    createdBy: jsonb("created_by").$type<StoredActor>().notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
    revokedAt: moment("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    uniqueIndex("staff_links_token").on(table.tokenHash),
    index("staff_links_person").on(table.integratorId, table.staffId).where(isNamed(table.staffId)),
    index("staff_links_email")
      .on(table.integratorId, sql`lower(${table.email})`)
      .where(isNamed(table.email)),
    index("staff_links_maker")
      .on(table.integratorId, sql`(${table.createdBy} ->> 'id')`)
      .where(sql`${table.createdBy} ->> 'id' is not null`),
    foreignKey({
      name: "staff_links_staff",
      columns: [table.integratorId, table.staffId],
      foreignColumns: [staff.integratorId, staff.id],
    }),
    check("staff_links_kind", sql`${table.kind} in ('invitation', 'password_reset')`),
    check("staff_links_role", sql`${table.role} in ('owner', 'admin', 'operator', 'viewer')`),
    check("staff_links_subject", sql`(${table.role} is null) <> (${table.staffId} is null)`),
  ],
);

/**
 * Failed sign-ins, by the name that was tried, known or unknown, and by where they came from; the throttle counts
 * them.
 */
export const signInFailures = pgTable(
  "sign_in_failures",
  {
    id: uuid("id").primaryKey(),
    nameHash: text("name_hash").notNull(),
    /** A network, a browser that the person has signed in with before, or a session. */
    source: text("address").notNull(),
    /** Whether the source was a network from which the name's person had not signed in. */
    isStranger: boolean("is_stranger").notNull().default(true),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    index("sign_in_failures_name").on(table.nameHash, table.createdAt),
    index("sign_in_failures_address").on(table.source, table.createdAt),
    index("sign_in_failures_age").on(table.createdAt),
  ],
);

/**
 * One row: the identity of this installation for every process that opens its database. Environment, cell, and id
 * never change (a trigger enforces it); the secret checks identify the secrets that stored data may be sealed with.
 * The public address is that of the last server start, for processes that are started without it; null until a server
 * has served this installation.
 */
export const installation = pgTable(
  "installation",
  {
    id: text("id").primaryKey(),
    installationId: uuid("installation_id").notNull().defaultRandom(),
    environment: text("environment", { enum: ["sandbox", "live"] }).notNull(),
    cell: integer("cell").notNull().default(1),
    publicUrl: text("public_url"),
    /** Of the secret that the last process to start seals with. */
    secretCheck: text("secret_check").notNull(),
    /** Of the other secrets that may still be needed, until `secret rotate` has sealed everything anew. */
    earlierSecretChecks: text("earlier_secret_checks").array().notNull().default([]),
    /** Since when the operator has stopped all changes. */
    readOnlySince: moment("read_only_since"),
    /** Who stopped them: the account of the command, and its machine. */
    readOnlyBy: text("read_only_by"),
  },
  (table) => [
    check("installation_one_row", sql`${table.id} = 'installation'`),
    check("installation_environment", sql`${table.environment} in ('sandbox', 'live')`),
    check("installation_cell", sql`${table.cell} between 1 and 4095`),
  ],
);
