import { and, count, desc, eq, ilike, or } from "drizzle-orm";
import { recordAudit } from "#lib/record/audit.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { recordEvents, toNewSubject } from "#lib/record/events.ts";
import { readMoment } from "#lib/base/moment.ts";
import { readIntegratorAccounts } from "#lib/ledger/accounts.ts";
import { cardholders } from "#db/schema/integrators.ts";

/** A person who holds cards. Only the last four characters of the identity number are stored. */
export type Cardholder = Omit<typeof cardholders.$inferSelect, "eventSequence">;

/** The details with which an integrator registers a cardholder. */
export interface CardholderRegistration {
  email: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  idType: string;
  idNumber: string;
  address: Cardholder["address"];
  userPhoto: string | null;
}

/**
 * Registers a cardholder. In sandbox, the cardholder is verified immediately.
 * @throws DomainError `user_already_exists` when this integrator already has a cardholder with the email.
 */
export async function registerCardholder(
  ctx: WriteContext,
  registration: CardholderRegistration,
): Promise<Cardholder> {
  const { tx, actor, request } = ctx;
  const { idNumber, ...described } = registration;
  const integrator = await readIntegratorAccounts(tx, actor.integratorId);
  const moment = await readMoment(tx);
  const [row] = await tx
    .insert(cardholders)
    .values({
      ...described,
      integratorId: actor.integratorId,
      id: moment.newId(),
      idLast4: idNumber.slice(-4),
      verified: integrator.environment === "sandbox",
      eventSequence: 1,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) {
    throw new DomainError("user_already_exists", "A user with this email is already registered.", {
      email: ["A user with this email is already registered."],
    });
  }
  await recordEvents(tx, integrator, {
    subjects: toNewSubject(row.id, moment),
    drafts: [
      {
        event: "user.kyc-verification",
        subject: { type: "cardholder", id: row.id },
        actor: actor.ref,
        requestId: request.id,
        data: { status: row.verified ? "verified" : "pending", user_id: row.id },
      },
    ],
  });
  await recordAudit(tx, actor.integratorId, [
    {
      actor: actor.ref,
      request,
      action: "cardholder.registered",
      targetType: "cardholder",
      targetId: row.id,
      before: null,
      after: { email: row.email },
    },
  ]);
  return row;
}

/**
 * The integrator's cardholders, newest first, by page number. The API contract requires the total, so they are counted.
 * `search` is the beginning of a first name, a last name, or an email.
 */
export async function listCardholders(
  ctx: ReadContext,
  paging: { limit: number; page: number; search?: string | undefined },
): Promise<{ rows: Cardholder[]; page: number; total: number; totalPages: number }> {
  const { integratorId } = ctx.actor;
  const searched = paging.search ? toSearchCondition(paging.search) : undefined;
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(cardholders)
    .where(and(eq(cardholders.integratorId, integratorId), searched));
  const rows = await ctx.db
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.integratorId, integratorId), searched))
    .orderBy(desc(cardholders.id))
    .limit(paging.limit)
    .offset((paging.page - 1) * paging.limit);
  const total = counted?.total ?? 0;
  return { rows, page: paging.page, total, totalPages: Math.ceil(total / paging.limit) };
}

function toSearchCondition(search: string) {
  const pattern = `${search.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
  return or(
    ilike(cardholders.firstName, pattern),
    ilike(cardholders.lastName, pattern),
    ilike(cardholders.email, pattern),
  );
}

/** @throws DomainError `user_not_found`, also for another integrator's cardholder. */
export async function requireCardholder(ctx: WriteContext, id: string): Promise<Cardholder> {
  const row = await findCardholder(toReadContext(ctx), id);
  if (!row) {
    throw notFound("user_not_found");
  }
  return row;
}

/** The cardholder with this id, if it belongs to this integrator. */
export async function findCardholder(
  ctx: ReadContext,
  id: string,
): Promise<Cardholder | undefined> {
  const [row] = await ctx.db
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.integratorId, ctx.actor.integratorId), eq(cardholders.id, id)));
  return row;
}
