import { eq } from "drizzle-orm";
import { hashApiKey } from "#lib/access/key-text.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { requestApproval } from "#lib/approvals/request-approval.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { getFloat } from "#lib/funds/float.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import { testDatabase } from "#test/database/database.ts";
import { call } from "./api-client.ts";
import type { ApiCall, ApiReply } from "./api-client.ts";
import { newIntegrator, reading, write } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { newStaff } from "./staff.ts";
import type { TestStaff } from "./staff.ts";

interface Wanted {
  cardId?: string | null;
  operation?: string;
  targetId?: string | null;
  body?: Readonly<Record<string, unknown>> | null;
  amount?: number | null;
  /** Another admin, unless it says who. */
  by?: ActorRef;
  requesterId?: string;
}

/** Asks for the approval of a credit, or of something else, whatever the account's rule is. @returns the approval's id. */
export async function newApproval(
  integrator: TestIntegrator,
  { cardId = null, operation = "creditCard", targetId = null, amount = 10, ...wanted }: Wanted = {},
): Promise<string> {
  const requesterId = wanted.requesterId ?? (await newStaff(integrator.id, "admin")).id;
  const ref = wanted.by ?? { type: "staff", id: requesterId, name: "Noor Haddad" };
  const { body = { card_id: cardId, amount } } = wanted;
  const { id } = await write(integrator, (ctx) =>
    requestApproval(
      { ...ctx, actor: { ...ctx.actor, ref } },
      {
        operation,
        targetId,
        body,
        held: { requesterId, amount, cards: cardId === null ? [] : [cardId] },
      },
    ),
  );
  return id;
}

/** The API key of the account, as an actor. */
export async function keyOf({ apiKey }: Pick<TestIntegrator, "apiKey">): Promise<ActorRef> {
  const [key] = await testDatabase()
    .db.select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(eq(apiKeys.hash, hashApiKey(apiKey)));
  return { type: "api_key", id: key?.id ?? null, name: key?.name ?? "" };
}

/** An account whose moves from a threshold on need a second person, and people who can ask for and decide them. */
export interface TwoPeople extends TestIntegrator {
  ada: TestStaff;
  noor: TestStaff;
  /** May move funds, and approve nothing. */
  kim: TestStaff;
}

export async function newTwoPeople(
  threshold: number,
  { float = 100_000, forKeys = false } = {},
): Promise<TwoPeople> {
  const integrator = await newIntegrator(float);
  const [ada, noor, kim] = [
    await newStaff(integrator.id, "owner"),
    await newStaff(integrator.id, "owner"),
    await newStaff(integrator.id, "operator"),
  ];
  const body = { approval: { threshold, for_keys: forKeys } };
  const reply = await call("PATCH /card-integrators/settings", { headers: ada.headers, body });
  if (reply.status !== 200) {
    throw new Error(`The rule was answered ${reply.status}: ${reply.text}`);
  }
  return { ...integrator, ada, noor, kim };
}

/** The approval that a request was answered with. */
export function approvalIn(reply: ApiReply) {
  const { data } = reply.json as {
    data: { approval?: { id: string; card_id: string | null; amount: number | null } };
  };
  if (reply.status !== 202 || !data.approval) {
    throw new Error(`No approval, but ${reply.status}: ${reply.text}`);
  }
  return data.approval;
}

export function decide(
  { headers }: Pick<TestStaff, "headers">,
  id: string,
  how: "approve" | "cancel" = "approve",
): Promise<ApiReply> {
  return call(`POST /approvals/${id}/${how}`, { headers });
}

export function reject(
  { headers }: Pick<TestStaff, "headers">,
  id: string,
  comment: string | null = null,
): Promise<ApiReply> {
  return call(`POST /approvals/${id}/reject`, { headers, body: { comment } });
}

/** People ask for moves of a card in these words, of it alone and of many, and one is rejected so. */
export async function askInWords(
  integrator: TestIntegrator,
  owner: TestStaff,
  { cardId, words: narrative }: { cardId: string; words: string },
): Promise<void> {
  const item = { card_id: cardId, amount: 10, narrative };
  await newApproval(integrator, { cardId, body: item });
  const body = { operation: "credit", items: [item] };
  await newApproval(integrator, { operation: "createBulkJob", body });
  await reject(owner, await newApproval(integrator, { cardId }), narrative);
}

/** What a card and the float have. */
export async function readBalances(of: TestIntegrator, cardId: string) {
  const { balance: card, status } = await getCard(reading(of), cardId);
  return { card, status, float: (await getFloat(reading(of))).balance };
}

export function creditBy(by: ApiCall, cardId: string, amount: number): Promise<ApiReply> {
  return call("PATCH /cards/credit/balance", { ...by, body: { card_id: cardId, amount } });
}

export const asPerson = ({ headers }: TestStaff) => ({ headers });
