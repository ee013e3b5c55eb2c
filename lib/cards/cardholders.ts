import { isDeepStrictEqual } from "node:util";
import { and, eq, ne, sql } from "drizzle-orm";
import type { UpdateContext, WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { readMoment } from "#lib/base/moment.ts";
import { toAddressResource } from "#lib/cards/cardholder-resource.ts";
import { cardholderCan } from "#lib/cards/cardholder-state.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import {
  lockCardholder,
  recordCardholder,
  refuse,
  writeCardholder,
} from "#lib/cards/internal/cardholder-records.ts";
import { readIntegratorAccounts } from "#lib/ledger/accounts.ts";
import { cardholders, hasEmail } from "#db/schema/integrators.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

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
 * What can be changed later; absent members stay. The identity document cannot, because the verification was of that
 * document.
 */
export type CardholderChanges = {
  [Name in (typeof CHANGEABLE)[number]]?: Cardholder[Name] | undefined;
};

const CHANGEABLE = [
  "email",
  "firstName",
  "lastName",
  "phoneNumber",
  "address",
  "userPhoto",
] as const satisfies readonly (keyof Cardholder)[];

/**
 * Registers a cardholder. In sandbox, the cardholder is verified immediately.
 * @throws DomainError `user_already_exists` when this integrator already has a cardholder with the email.
 */
export async function registerCardholder(
  ctx: WriteContext,
  registration: CardholderRegistration,
): Promise<Cardholder> {
  const { tx, actor } = ctx;
  const { integratorId } = actor;
  const { idNumber, ...described } = registration;
  const [integrator] = await pipeline([
    readIntegratorAccounts(tx, integratorId),
    lockEmail(tx, integratorId, registration.email),
  ]);
  const moment = await readMoment(tx);
  const [row] = await tx
    .insert(cardholders)
    .values({
      ...described,
      integratorId,
      id: moment.newId(),
      idLast4: idNumber.slice(-4),
      verified: integrator.environment === "sandbox",
      eventSequence: 1,
      createdAt: moment.at,
      updatedAt: moment.at,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) {
    throw emailTaken();
  }
  await recordCardholder(
    ctx,
    { row, integrator, moment },
    {
      event: "user.kyc-verification",
      data: { status: row.verified ? "verified" : "pending" },
      action: "cardholder.registered",
      before: null,
      after: { email: row.email },
    },
  );
  return row;
}

/**
 * Changes a cardholder's details. Existing cards keep the name that they were issued with.
 * @throws DomainError `user_not_found`, `user_erased`; `user_already_exists` when another cardholder has the email.
 */
export async function updateCardholder(
  ctx: UpdateContext<Cardholder>,
  id: string,
  changes: CardholderChanges,
): Promise<Cardholder> {
  const before = await lockCardholder(ctx, id);
  ctx.requireSeen?.(before);
  refuse(cardholderCan.change(before));
  const changed = CHANGEABLE.filter(
    (name) => changes[name] !== undefined && !isDeepStrictEqual(changes[name], before[name]),
  );
  if (changed.length === 0) {
    return before;
  }
  if (changes.email !== undefined) {
    await refuseTakenEmail(ctx, id, changes.email);
  }
  const written = await writeCardholder(ctx, before, pick(changes, changed));
  const after = written.row;
  const named = (cardholder: Cardholder) => toNamed(pick(cardholder, changed));
  await recordCardholder(ctx, written, {
    event: "user.updated",
    data: { changed: changed.map((name) => WIRE_NAMES[name]) },
    action: "cardholder.updated",
    before: named(before),
    after: named(after),
  });
  return after;
}

/**
 * Serializes everything that gives a cardholder this email. An insert with ON CONFLICT waits at the unique index; an
 * update would fail there.
 */
async function lockEmail(tx: Tx, integratorId: string, email: string): Promise<void> {
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended('cardholder ' || ${integratorId} || ' ' || lower(${email}), 0))`);
}

async function refuseTakenEmail(
  { tx, actor }: WriteContext,
  id: string,
  email: string,
): Promise<void> {
  const { integratorId } = actor;
  await lockEmail(tx, integratorId, email);
  const [other] = await tx
    .select({ id: cardholders.id })
    .from(cardholders)
    .where(
      and(eq(cardholders.integratorId, integratorId), hasEmail(email), ne(cardholders.id, id)),
    );
  if (other) {
    throw emailTaken();
  }
}

function emailTaken(): DomainError {
  return new DomainError("user_already_exists", "A user with this email is already registered.", {
    email: ["A user with this email is already registered."],
  });
}

type Details = Pick<Cardholder, (typeof CHANGEABLE)[number]>;

function pick(from: CardholderChanges, names: readonly (keyof Details)[]): Partial<Details> {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

/** The wire name of each changeable member, as used in events and the audit log. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  email: "email",
  firstName: "first_name",
  lastName: "last_name",
  phoneNumber: "phone_number",
  address: "address",
  userPhoto: "user_photo",
} satisfies Record<keyof Details, string>;

function toNamed({ address, ...details }: Partial<Details>): Record<string, unknown> {
  const members = Object.entries(details).map(([name, value]) => [WIRE_NAMES[name], value]);
  return {
    ...Object.fromEntries(members),
    ...(address ? { address: toAddressResource(address) } : {}),
  };
}
