import { randomUUID } from "node:crypto";
import { KEY_SCOPES } from "#lib/base/actor.ts";
import type { Member, Scope } from "#lib/base/actor.ts";
import { createApiKey } from "#lib/access/api-keys.ts";
import { createVirtualCard } from "#lib/cards/card-issue.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { changeCardStatus } from "#lib/cards/card-status.ts";
import { FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import type { FreezeTerms } from "#lib/cards/freezes.ts";
import { registerCardholder } from "#lib/cards/cardholders.ts";
import type { ReadContext, RequestOrigin, WriteContext } from "#lib/base/context.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import type { FundsMoved, FundsRequest } from "#lib/funds/funds.ts";
import { performAll, performOne } from "#lib/group-commit/batch.ts";
import type { Result } from "#lib/group-commit/batch.ts";
import { registerIntegrator } from "#lib/integrators/integrators.ts";
import { newId } from "#lib/base/ids.ts";
import { databaseCode } from "#db/failures.ts";
import { inTransaction } from "#db/transaction.ts";
import { testDatabase } from "#test/database/database.ts";

/** An integrator for one test, with everything the test needs to act for it. */
export interface TestIntegrator {
  id: string;
  apiKey: string;
  actor: Member;
}

export function newOrigin(): RequestOrigin {
  return { id: randomUUID(), address: "127.0.0.1", agent: "test" };
}

/** A new integrator with `float` minor units on its float. Only the processor tops up a live integrator's float. */
export async function newIntegrator(
  float = 0,
  environment: "sandbox" | "live" = "sandbox",
): Promise<TestIntegrator> {
  const { db } = testDatabase();
  const email = `${newId()}@example.com`;
  const { account, apiKey } = await inTransaction(db, (tx) =>
    registerIntegrator(
      { tx, request: newOrigin(), environment, vouched: true },
      {
        businessName: "Northwind",
        businessAddress: "1 Harbour Street",
        contactNumber: "+15550100",
        country: "US",
        domain: "northwind.example",
        email,
        firstName: "Ada",
        lastName: "Winter",
        // No test signs in with this; tests that sign in register through the API.
        passwordHash: "$argon2id$none",
        registrationNumber: "12345",
        webhookUrl: null,
        currency: "USD",
      },
    ),
  );
  const integrator = toTestIntegrator({ id: account.id, apiKey });
  if (float > 0) {
    await move(integrator, { kind: "top-up", amount: float });
  }
  return integrator;
}

/** An integrator that is there already. */
export function toTestIntegrator({ id, apiKey }: { id: string; apiKey: string }): TestIntegrator {
  const ref = { type: "api_key" as const, id: newId(), name: "Test key" };
  return {
    id,
    apiKey,
    actor: { kind: "member", integratorId: id, scopes: new Set(KEY_SCOPES), ref },
  };
}

/** A key of the card processor, which belongs to no integrator. */
export async function newProcessorKey(
  environment: "sandbox" | "live" = "sandbox",
): Promise<string> {
  const { key } = await inTransaction(testDatabase().db, (tx) =>
    createApiKey(tx, {
      integratorId: null,
      environment,
      name: "Test network",
      scopes: ["processor"],
      expiresAt: null,
      createdBy: "test",
    }),
  );
  return key;
}

/** An API key that may do this much. */
export function newScopedKey(
  integratorId: string,
  scopes: readonly Scope[],
): Promise<{ id: string; key: string }> {
  return inTransaction(testDatabase().db, (tx) =>
    createApiKey(tx, {
      integratorId,
      environment: "sandbox",
      name: "Scoped",
      scopes,
      expiresAt: null,
      createdBy: "test",
    }),
  );
}

/** A card of this integrator, credited with `balance` minor units from its float. */
export async function newCard(
  integrator: TestIntegrator,
  balance = 0,
  {
    singleUse = false,
    firstName = "Lin",
    lastName = "Osei",
    email = `${newId()}@example.com`,
    validityDays = 365,
    /** Whose card it is; somebody new unless given. */
    cardholderId = "",
  } = {},
): Promise<Card> {
  const card = await write(integrator, async (ctx) => {
    const register = () =>
      registerCardholder(ctx, {
        email,
        firstName,
        lastName,
        phoneNumber: "+15550111",
        idType: "passport",
        idNumber: "X1234567",
        address: {
          city: "Accra",
          country: "GH",
          line1: "2 Ring Road",
          line2: null,
          state: "AA",
          zipCode: "00233",
        },
        userPhoto: null,
      });
    return createVirtualCard(ctx, {
      cardholderId: cardholderId || (await register()).id,
      currency: "USD",
      designType: "midnight",
      singleUse,
      validityDays,
      metadata: {},
    });
  });
  if (balance > 0) {
    await move(integrator, { kind: "credit", cardId: card.id, amount: balance });
  }
  return card;
}

/** Runs a domain function that writes for this integrator, and commits. */
export function write<T>(
  integrator: TestIntegrator,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  return inTransaction(testDatabase().db, (tx) =>
    work({ tx, actor: integrator.actor, request: newOrigin() }),
  );
}

/** Retries what timed out before it was done, as a client does. On a slow machine some requests take too long. */
export async function untilInTime<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (databaseCode(error) !== "database_unavailable") {
        throw error;
      }
    }
  }
}

/** Freezes a card in the caller's transaction. */
export function freezeCard(
  { tx, ...caller }: WriteContext,
  cardId: string,
  input: Omit<FreezeTerms, "level"> & Partial<FreezeTerms>,
): Promise<Card> {
  return performOne(tx, changeCardStatus, {
    level: "cardholder",
    ...caller,
    ...input,
    cardId,
    to: "frozen",
    mayLift: FREEZE_LEVELS,
    statusVersion: null,
  });
}

/** Unfreezes a card in the caller's transaction. */
export function unfreezeCard(
  { tx, ...caller }: WriteContext,
  cardId: string,
  { comment, level = null }: { comment: string | null; level?: FreezeLevel | null },
): Promise<Card> {
  const change = { cardId, to: "active", level, mayLift: FREEZE_LEVELS, comment } as const;
  return performOne(tx, changeCardStatus, { ...caller, ...change, statusVersion: null });
}

export function reading(integrator: TestIntegrator): ReadContext {
  return { db: testDatabase().db, actor: integrator.actor };
}

/** One fund movement in its own transaction. */
export async function move(
  integrator: TestIntegrator,
  wanted: Pick<FundsRequest, "kind" | "amount"> & Partial<FundsRequest>,
): Promise<Result<FundsMoved>> {
  const [result] = await moveMany(integrator, [wanted]);
  if (!result) {
    throw new Error("A move of funds had no result.");
  }
  return result;
}

/** Several fund movements in one transaction. */
export function moveMany(
  integrator: TestIntegrator,
  wanted: (Pick<FundsRequest, "kind" | "amount"> & Partial<FundsRequest>)[],
): Promise<Result<FundsMoved>[]> {
  return inTransaction(testDatabase().db, (tx) =>
    performAll(
      tx,
      moveFunds,
      wanted.map((each) => ({
        actor: integrator.actor,
        request: newOrigin(),
        idempotencyKey: null,
        ...each,
      })),
    ),
  );
}
