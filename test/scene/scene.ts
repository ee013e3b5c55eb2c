import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { BALANCE_MAX } from "#lib/base/money.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard } from "./fixtures.ts";
import { credentialOf, newTenant, sampleBody, toLine } from "./tenant.ts";
import type { Tenant } from "./tenant.ts";

/** The tenant of one case, with a card that has 100 and no holds. */
export interface Scene extends Tenant {
  card: string;
  processorKey: string;
}

/** What differs from the operation's sample request: the id in its path, members of its body, or the caller. */
export interface Wanted {
  at?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Sends a request that is refused, after whatever must happen before it. */
export type Case = (scene: Scene) => Promise<ApiReply>;

export async function newScene(processorKey: string): Promise<Scene> {
  const tenant = await newTenant();
  return { ...tenant, card: (await newCard(tenant, 100)).id, processorKey };
}

/** Sends the operation's sample request for the scene's card. */
export function send(
  scene: Scene,
  id: string,
  { at, body, headers }: Wanted = {},
): Promise<ApiReply> {
  const operation = OPERATIONS.find((each) => each.id === id);
  if (!operation) {
    throw new Error(`There is no operation ${id}.`);
  }
  const sample = sampleBody(operation, { ...scene.ids, card: scene.card });
  return call(toLine(operation, at ?? scene.card), {
    ...(headers ? { headers } : credentialOf(operation, scene)),
    ...(operation.body ? { body: { ...sample, ...body } } : {}),
  });
}

/** Sends it while the account has an open discrepancy. */
export function sendUnbalanced(scene: Scene, id: string, wanted?: Wanted): Promise<ApiReply> {
  return meanwhile(
    sql`update integrators set books_unbalanced_at = clock_timestamp() where id = ${scene.id}`,
    sql`update integrators set books_unbalanced_at = null where id = ${scene.id}`,
    () => send(scene, id, wanted),
  );
}

/** Sends it while the sandbox clock is being moved. */
export function sendWhileAdvancing(scene: Scene, id: string, wanted?: Wanted): Promise<ApiReply> {
  return meanwhile(
    sql`update integrators set clock_target_s = 60, clock_since = clock_timestamp() where id = ${scene.id}`,
    sql`update integrators set clock_target_s = null, clock_since = null where id = ${scene.id}`,
    () => send(scene, id, wanted),
  );
}

/** Sends it while an account has the maximum balance, which would take nine thousand of the largest movements to reach. */
export async function sendFull(
  scene: Scene,
  id: string,
  { account, ...wanted }: Wanted & { account: "card" | "float" },
): Promise<ApiReply> {
  const which =
    account === "card"
      ? sql`id = ${scene.card}`
      : sql`integrator_id = ${scene.id} and kind = 'float'`;
  const [row] = await testDatabase().db.execute<{ balance: string }>(
    sql`select balance from ledger_accounts where ${which}`,
  );
  const balance = (minorUnits: string) => sql`
    update ledger_accounts set balance = ${minorUnits}::bigint where ${which}`;
  return meanwhile(balance(String(BALANCE_MAX)), balance(row?.balance ?? ""), () =>
    send(scene, id, wanted),
  );
}

/** Sends it while the card's account holds nothing, whatever its authorizations say. */
export function sendDamaged(scene: Scene, id: string, wanted: Wanted): Promise<ApiReply> {
  const held = (amount: SQL) =>
    sql`update ledger_accounts set held = ${amount} where id = ${scene.card}`;
  const kept = sql`(
    select sum(hold_amount - hold_captured - hold_released) from transactions where card_id = ${scene.card})`;
  return meanwhile(held(sql`0`), held(kept), () => send(scene, id, wanted));
}

/** Sends it while the float is empty and what it receives repays what it owes. */
export async function sendOwing(scene: Scene, id: string): Promise<ApiReply> {
  const [row] = await testDatabase().db.execute<{ balance: string }>(
    sql`select balance from ledger_accounts where integrator_id = ${scene.id} and kind = 'float'`,
  );
  const balances = (float: string, deficit: string) => sql`
    update ledger_accounts set balance = case kind when 'float' then ${float}::bigint else ${deficit}::bigint end
    where integrator_id = ${scene.id} and kind in ('float', 'deficit')`;
  return meanwhile(balances("0", `-${BALANCE_MAX}`), balances(row?.balance ?? "", "0"), () =>
    send(scene, id),
  );
}

async function meanwhile(set: SQL, unset: SQL, work: () => Promise<ApiReply>): Promise<ApiReply> {
  await changeUnguarded(set);
  return work().finally(() => changeUnguarded(unset));
}

/** Runs a statement past the database's guards. */
export async function changeUnguarded(statement: SQL): Promise<void> {
  const client = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const owner = drizzle(client);
  await owner
    .transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(statement);
    })
    .finally(() => client.end());
}

/** Authorizes an amount on the scene's card as the processor. @returns the authorization's id. */
export async function authorize(
  scene: Scene,
  amount: number,
  members: object = {},
): Promise<string> {
  const { json } = await send(scene, "createAuthorization", { body: { amount, ...members } });
  return (json as { id: string }).id;
}
