import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { WriteContext } from "#lib/base/context.ts";
import { newId } from "#lib/base/ids.ts";
import { registerIntegrator, updateSettings } from "#lib/integrators/integrators.ts";
import { DAY_MS } from "#lib/operator/internal/demo-agenda.ts";
import type { Scene } from "#lib/operator/internal/demo-scene.ts";
import { STORY_DAYS, tellStory } from "#lib/operator/internal/demo-story.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { apiKeys, integrators } from "#db/schema/integrators.ts";
import { messages } from "#db/schema/messages.ts";
import { staff } from "#db/schema/staff.ts";
import { inPast, PastRefused } from "#db/past.ts";
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

const EMAIL = "owner@demo.floatdeck.example";
const LOW_BALANCE_THRESHOLD = 350_000;

/**
 * Fills an empty sandbox that no server has served with one integrator and its last 90 days, all through the domain
 * functions, so that the books balance and every change has its event. Does nothing in any other installation. It is one
 * transaction: an interrupted start leaves no partial demo, and of two servers that start at once, one makes it.
 */
export async function createDemo(db: Db): Promise<Demo | undefined> {
  const existing = await db.select({ id: integrators.id }).from(integrators).limit(1);
  if (existing.length > 0) {
    return undefined;
  }
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password, "demo");
  try {
    return await inPast(db, STORY_DAYS * DAY_MS, async (tx, clock) => {
      const { integratorId, apiKey } = await register(tx, passwordHash);
      const refs = await readRefs(tx, integratorId);
      const cardId = await tellStory(clock, { tx, integratorId, refs });
      // Nobody is sent mail about the past.
      await tx.delete(messages).where(eq(messages.integratorId, integratorId));
      return { email: EMAIL, password, apiKey, integratorId, cardId };
    });
  } catch (error) {
    if (error instanceof PastRefused) {
      return undefined;
    }
    throw error;
  }
}

async function register(
  tx: Tx,
  passwordHash: string,
): Promise<{ integratorId: string; apiKey: string }> {
  const request = { id: newId(), address: null, agent: "demo" };
  const { account, apiKey } = await registerIntegrator(
    { tx, request, environment: "sandbox", vouched: true },
    {
      businessName: "Harbour & Finch",
      businessAddress: "14 Quay Street, Bristol BS1 4DJ",
      contactNumber: "+441170000000",
      country: "GB",
      domain: "harbourfinch.example",
      email: EMAIL,
      firstName: "Robin",
      lastName: "Finch",
      passwordHash,
      registrationNumber: "09876543",
      webhookUrl: null,
      currency: "USD",
    },
  );
  const actor = {
    integratorId: account.id,
    ref: { type: "system", id: null, name: "Demo" },
  } as const;
  const ctx: WriteContext = { tx, actor, request };
  await updateSettings(ctx, { lowBalanceThreshold: LOW_BALANCE_THRESHOLD });
  return { integratorId: account.id, apiKey };
}

/** The people and programs that act in the demo. */
async function readRefs(tx: Tx, integratorId: string): Promise<Scene["refs"]> {
  const [owner] = await tx.select().from(staff).where(eq(staff.integratorId, integratorId));
  const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.integratorId, integratorId));
  if (!owner || !key) {
    throw new Error("The demo was registered without an owner or a key.");
  }
  return {
    owner: { type: "staff", id: owner.id, name: `${owner.firstName} ${owner.lastName}` },
    key: { type: "api_key", id: key.id, name: key.name },
    network: { type: "processor", id: null, name: "Card network" },
  };
}
