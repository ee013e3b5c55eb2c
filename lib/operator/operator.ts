import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { OPERATOR } from "#lib/base/actor.ts";
import { createApiKey } from "#lib/access/api-keys.ts";
import { announceCredentialChange } from "#lib/access/credential-changes.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { findStaffByEmail } from "#lib/staff/staff-emails.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiKeys, integrators } from "#db/schema/integrators.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { staff } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * What the operator of the installation may do, across all integrators; available only from its command line.
 */

/** An integrator as the operator sees it. Amounts in minor units. */
export interface IntegratorSummary {
  id: string;
  businessName: string;
  email: string;
  currency: string;
  floatBalance: number;
  vouched: boolean;
  suspendedAt: Date | null;
  stoppedAt: Date | null;
  booksUnbalancedAt: Date | null;
  createdAt: Date;
}

/** How many integrators or keys one list shows. */
export const OPERATOR_LIST_MAX = 500;

/** Integrators in order of creation, starting after the given one. */
export async function listIntegrators(db: Db, after?: string): Promise<IntegratorSummary[]> {
  return db
    .select({
      id: integrators.id,
      businessName: integrators.businessName,
      email: integrators.email,
      currency: integrators.currency,
      floatBalance: sql<number>`${ledgerAccounts.balance}`.mapWith(Number),
      vouched: integrators.vouched,
      suspendedAt: integrators.suspendedAt,
      stoppedAt: integrators.stoppedAt,
      booksUnbalancedAt: integrators.booksUnbalancedAt,
      createdAt: integrators.createdAt,
    })
    .from(integrators)
    .innerJoin(
      ledgerAccounts,
      and(eq(ledgerAccounts.integratorId, integrators.id), eq(ledgerAccounts.kind, "float")),
    )
    .where(after ? gt(integrators.id, after) : undefined)
    .orderBy(asc(integrators.id))
    .limit(OPERATOR_LIST_MAX);
}

/**
 * Vouches for the emails of an integrator that signed itself up: those of its present staff and of anyone it
 * invites. An identity provider may sign them in from now on. Does nothing when the integrator is already
 * vouched for.
 * @returns the emails of its present staff.
 * @throws DomainError `integrator_not_found`; `email_already_registered` when a person elsewhere is vouched
 * for with one of them.
 */
export async function vouchForIntegrator(
  tx: Tx,
  request: RequestOrigin,
  id: string,
): Promise<string[]> {
  const [before] = isId(id)
    ? await tx.select().from(integrators).where(eq(integrators.id, id)).for("update")
    : [];
  if (!before) {
    throw notFound("integrator_not_found");
  }
  const people = await tx
    .select({ email: staff.email })
    .from(staff)
    .where(and(eq(staff.integratorId, before.id), isNull(staff.removedAt)))
    .orderBy(asc(staff.id));
  const emails = people.map(({ email }) => email);
  if (before.vouched) {
    return emails;
  }
  await refuseVouchedElsewhere(tx, before.id, emails);
  // The foreign key propagates this to its staff.
  await tx
    .update(integrators)
    .set({ vouched: true, updatedAt: NOW })
    .where(eq(integrators.id, before.id));
  await recordAudit(tx, before.id, [
    {
      actor: OPERATOR,
      request,
      action: "integrator.vouched",
      targetType: "account",
      targetId: before.id,
      before: { vouched: false },
      after: { vouched: true },
    },
  ]);
  return emails;
}

async function refuseVouchedElsewhere(
  tx: Tx,
  integratorId: string,
  emails: readonly string[],
): Promise<void> {
  for (const email of emails) {
    const holders = await findStaffByEmail(tx, email);
    if (holders.some((holder) => holder.emailVouched && holder.integratorId !== integratorId)) {
      throw new DomainError(
        "email_already_registered",
        `${email} is vouched for at another integrator. Remove them from one of the two first.`,
      );
    }
  }
}

/** A card processor key, without the secret key. */
export interface ProcessorKey {
  id: string;
  name: string;
  prefix: string;
  suffix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** Creates a key for `/processor/*`. It can be shown only this once. */
export async function createProcessorKey(
  tx: Tx,
  key: { environment: "sandbox" | "live"; name: string },
): Promise<{ id: string; key: string }> {
  return createApiKey(tx, {
    ...key,
    integratorId: null,
    scopes: ["processor"],
    expiresAt: null,
    createdBy: "operator",
  });
}

/** The card processor's keys in order of creation, newest last. */
export async function listProcessorKeys(db: Db): Promise<ProcessorKey[]> {
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      prefix: apiKeys.prefix,
      suffix: apiKeys.suffix,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .where(isNull(apiKeys.integratorId))
    .orderBy(asc(apiKeys.id))
    .limit(OPERATOR_LIST_MAX);
}

/**
 * Revokes a card processor key; running servers refuse it within 5 s.
 * @returns whether the key exists. Revoking it again changes nothing.
 */
export async function revokeProcessorKey(tx: Tx, id: string): Promise<boolean> {
  // A revoked key stays revoked.
  markCommit(
    tx,
    sql`exists (select from api_keys where id::text = ${id} and revoked_at is not null)`,
  );
  const rows = isId(id)
    ? await tx
        .update(apiKeys)
        .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${NOW})` })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.integratorId)))
        .returning({ id: apiKeys.id })
    : [];
  await announceCredentialChange(tx, { integratorId: null });
  return rows.length > 0;
}
