import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import type { TenantActor } from "#lib/base/actor.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import { createVirtualCard } from "#lib/cards/card-issue.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { FreezeReason } from "#lib/cards/card-state.ts";
import { changeCardStatus } from "#lib/cards/card-status.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { registerCardholder } from "#lib/cards/cardholders.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { makePurchases, makeDeclinedPurchase } from "#lib/operator/demo-purchases.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performAll, performOne } from "#lib/group-commit/batch.ts";
import { newId } from "#lib/base/ids.ts";
import { registerIntegrator, updateSettings } from "#lib/integrators/integrators.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { integrators } from "#db/schema/integrators.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/**
 * Credentials and ids to try the demo integrator with. Generated at random; the caller shows and stores them.
 */
export interface Demo {
  email: string;
  password: string;
  apiKey: string;
  integratorId: string;
  cardId: string;
}

const HOLDERS = [
  ["Amara", "Diallo"],
  ["Noah", "Lindqvist"],
  ["Mei", "Tanaka"],
  ["Jonas", "Keller"],
  ["Priya", "Raman"],
  ["Luca", "Moretti"],
  ["Sofia", "Marques"],
  ["Elias", "Haddad"],
  ["Hana", "Novak"],
  ["Tomas", "Silva"],
  ["Ingrid", "Solberg"],
  ["Kwame", "Mensah"],
  ["Yara", "Costa"],
  ["Felix", "Braun"],
  ["Aiko", "Mori"],
  ["Daniel", "Okafor"],
  ["Leila", "Farouk"],
  ["Mateo", "Vargas"],
  ["Nina", "Petrova"],
  ["Owen", "Walsh"],
  ["Zoe", "Laurent"],
  ["Samir", "Aziz"],
  ["Clara", "Jensen"],
  ["Rafael", "Ortiz"],
  ["Maya", "Cohen"],
] as const;

const DESIGNS = ["midnight", "sand", "forest", "coral"] as const;
const FLOAT_AMOUNT = 25_000_000;
const LOW_BALANCE_THRESHOLD = 5_000_000;

/** The initial funding of each card repeats this pattern, in minor units. */
const FUNDINGS = [35_000, 40_000, 27_550, 120_000, 25_000] as const;
const TOP_UPS = [2_000, 5_000, 1_250, 10_000] as const;

const FROZEN: Readonly<Record<number, FreezeReason>> = {
  3: "lost",
  8: "suspected_fraud",
  14: "cardholder_request",
  21: "internal_review",
};
const CLOSED: ReadonlySet<number> = new Set([11, 19]);

/** Hundreds of statements, on a machine that may be busy; only a start waits for them. */
const DEMO_TIMEOUT_MS = 60_000;

/** An arbitrary lock id: servers that start concurrently on an empty sandbox create one demo between them. */
const LOCK = 7_203_121;

/**
 * Fills an empty sandbox with one integrator, 25 cardholders, and their funded cards, all through the domain
 * functions, so that the books balance and every change has its event. Does nothing when an integrator exists
 * or another process is creating the demo.
 */
export async function createDemo(db: Db): Promise<Demo | undefined> {
  if (!(await isEmpty(db))) {
    return undefined;
  }
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password);
  // One transaction, so that an interrupted start leaves no partial demo.
  const make = async (tx: Tx) => {
    if (!(await claimDemo(tx))) {
      return undefined;
    }
    const request = { id: newId(), address: null, agent: "demo" };
    const email = "owner@demo.floatdeck.example";
    const { account, apiKey } = await registerIntegrator(
      { tx, request, environment: "sandbox", vouched: true },
      {
        businessName: "Harbour & Finch",
        businessAddress: "14 Quay Street, Bristol BS1 4DJ",
        contactNumber: "+441170000000",
        country: "GB",
        domain: "harbourfinch.example",
        email,
        firstName: "Robin",
        lastName: "Finch",
        passwordHash,
        registrationNumber: "09876543",
        webhookUrl: null,
        currency: "USD",
      },
    );
    const ctx: WriteContext = { tx, actor: toActor(account.id), request };
    const cards = await fill(ctx);
    const [first] = cards;
    if (!first) {
      throw new Error("The demo has no card.");
    }
    return { email, password, apiKey, integratorId: account.id, cardId: first.id };
  };
  return inTransaction(db, make, DEMO_TIMEOUT_MS);
}

async function isEmpty(db: Db | Tx): Promise<boolean> {
  const rows = await db.select({ id: integrators.id }).from(integrators).limit(1);
  return rows.length === 0;
}

/**
 * Holds until the transaction ends. If the first process has already finished, there is nothing to claim
 * either.
 */
async function claimDemo(tx: Tx): Promise<boolean> {
  const [row] = await tx.execute<{ claimed: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}::bigint) as claimed`,
  );
  return row?.claimed === true && isEmpty(tx);
}

/**
 * Uses, freezes, and closes the demo's cards, with one transaction per card: a single transaction could
 * exceed the time limit on a slow machine, and an interrupted demo is still a valid demo.
 */
export async function useDemo(db: Db, { integratorId }: Demo): Promise<void> {
  const actor = toActor(integratorId);
  const { rows } = await listCards({ db, actor }, { limit: HOLDERS.length });
  for (const [index, card] of rows.toReversed().entries()) {
    const request = { id: newId(), address: null, agent: "demo" };
    await inTransaction(db, (tx) => useCard({ tx, actor, request }, card, index));
  }
}

async function useCard(ctx: WriteContext, card: Card, index: number): Promise<void> {
  const reason = FROZEN[index];
  if (CLOSED.has(index)) {
    await closeCard(ctx, card.id, { comment: "No longer needed" });
    await makeDeclinedPurchase(ctx, card, index);
    return;
  }
  await makePurchases(ctx, card, index);
  if (reason) {
    const { actor, request } = ctx;
    const freeze = {
      cardId: card.id,
      to: "frozen" as const,
      reason,
      comment: null,
      statusVersion: null,
    };
    await performOne(ctx.tx, changeCardStatus, { ...freeze, actor, request });
    await makeDeclinedPurchase(ctx, card, index);
  }
}

function toActor(integratorId: string): TenantActor {
  return { integratorId, ref: { type: "system", id: null, name: "Demo" } };
}

async function fill(ctx: WriteContext): Promise<Card[]> {
  const shared = { actor: ctx.actor, request: ctx.request, idempotencyKey: null };
  await updateSettings(ctx, { lowBalanceThreshold: LOW_BALANCE_THRESHOLD });
  await performOne(ctx.tx, moveFunds, { ...shared, kind: "top-up", amount: FLOAT_AMOUNT });
  const cards: Card[] = [];
  for (const [index, [firstName, lastName]] of HOLDERS.entries()) {
    cards.push(await issue(ctx, index, { firstName, lastName }));
  }
  await performAll(
    ctx.tx,
    moveFunds,
    cards.flatMap(({ id }, index) => [
      {
        ...shared,
        kind: "credit" as const,
        cardId: id,
        amount: pick(FUNDINGS, index),
        narrative: "First funding",
      },
      {
        ...shared,
        kind: "credit" as const,
        cardId: id,
        amount: pick(TOP_UPS, index),
        narrative: "Weekly allowance",
      },
      {
        ...shared,
        kind: "debit" as const,
        cardId: id,
        amount: pick(TOP_UPS, index + 1),
        narrative: "Unspent allowance",
      },
    ]),
  );
  return cards;
}

async function issue(
  ctx: WriteContext,
  index: number,
  { firstName, lastName }: { firstName: string; lastName: string },
): Promise<Card> {
  const cardholder = await registerCardholder(ctx, {
    email: `${firstName}.${lastName}@cardholders.example`.toLowerCase(),
    firstName,
    lastName,
    phoneNumber: `+4477009${String(index).padStart(5, "0")}`,
    idType: "passport",
    idNumber: `P${String(index).padStart(8, "0")}`,
    address: {
      city: "Bristol",
      country: "GB",
      line1: `${index + 1} Quay Street`,
      line2: null,
      state: "Bristol",
      zipCode: "BS1 4DJ",
    },
    userPhoto: null,
  });
  return createVirtualCard(ctx, {
    cardholderId: cardholder.id,
    currency: "USD",
    designType: pick(DESIGNS, index),
    singleUse: index % 9 === 7,
    validityDays: index % 2 ? 365 : 1_095,
    metadata: {},
  });
}

function pick<T>(choices: readonly T[], index: number): T {
  const choice = choices[index % choices.length];
  if (choice === undefined) {
    throw new Error("Cannot pick from an empty list.");
  }
  return choice;
}
