import { sql } from "drizzle-orm";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { newId } from "#lib/base/ids.ts";
import { testDatabase } from "#test/database/database.ts";
import type { ElsewhereCode } from "./declared-pairs.ts";
import { changeUnguarded, send, sendFull, sendUnbalanced, sendWhileAdvancing } from "./scene.ts";
import type { Case, Scene } from "./scene.ts";
import { newStaff } from "./staff.ts";

/** For each code, a request that most operations refuse with it. */
const USUAL = {
  balance_limit_exceeded: (id) => (scene) => sendFull(scene, id, { account: "float" }),
  books_unbalanced: (id) => (scene) => sendUnbalanced(scene, id),
  card_closed: (id) => async (scene) => {
    await send(scene, "closeCard");
    return send(scene, id);
  },
  card_expired: (id) => async (scene) => {
    await changeUnguarded(
      sql`update ledger_accounts set expires_at = clock_timestamp() where id = ${scene.card}`,
    );
    return send(scene, id);
  },
  card_not_found: (id) => (scene) => send(scene, id, { body: { card_id: newId() } }),
  card_status_changed: (id) => (scene) => send(scene, id, { body: { status_version: 7 } }),
  clock_advancing: (id) => (scene) => sendWhileAdvancing(scene, id),
  email_already_registered: (id) => (scene) =>
    send(scene, id, { body: { email: scene.owner.email } }),
  endpoint_not_found: (id) => (scene) => send(scene, id, { body: { endpoint_id: newId() } }),
  insufficient_float: (id) => (scene) => send(scene, id, { body: { amount: 1_000_000 } }),
  link_not_found: (id) => (scene) => send(scene, id),
  notifications_switched_off: (id) => async (scene) => {
    await change(sql`
      update webhook_endpoints set switched_off_at = clock_timestamp(), switched_off_reason = 'gone'
      where integrator_id = ${scene.id}`);
    return send(scene, id, { at: scene.ids.delivery });
  },
  reason_required: (id) => async (scene) => {
    await send(scene, "updateSettings", { body: { freeze_reason_required: true } });
    return send(scene, id, { body: { reason: null } });
  },
  role_insufficient: (id) => (scene) => sendAsAdmin(scene, id),
  staff_last_owner: (id) => async (scene) => {
    // The person who registered the account is an owner too.
    await change(sql`
      update staff set removed_at = clock_timestamp()
      where integrator_id = ${scene.id} and role = 'owner' and id <> ${scene.owner.id}`);
    return send(scene, id, { at: scene.owner.id });
  },
  user_erased: (id) => async (scene) => {
    await changeUnguarded(sql`
      update cardholders set erased_at = clock_timestamp() where integrator_id = ${scene.id}`);
    return send(scene, id, id.endsWith("User") ? { at: scene.ids.user } : {});
  },
  webhook_url_missing: (id) => async (scene) => {
    await send(scene, "updateAccount", { body: { domain: "quay.example", webhook_url: null } });
    return send(scene, id, { at: scene.ids.delivery });
  },
} as const satisfies Partial<Record<ErrorCode, (id: string) => Case>>;

type UsualCode = keyof typeof USUAL;
type Declared<O extends Operation> = Exclude<O["errors"][number], ElsewhereCode>;

/** A case for each code that an operation declares: for one with a usual case, only where that does not fit. */
export type Cases<O extends Operation> = Readonly<
  Record<Exclude<Declared<O>, UsualCode>, Case> & Partial<Record<Declared<O> & UsualCode, Case>>
>;

/** An operation's cases, and the usual ones for the rest of what it declares. */
export function toCases({ id, errors }: Operation, own: Readonly<Partial<Record<string, Case>>>) {
  const usual: Readonly<Partial<Record<ErrorCode, (id: string) => Case>>> = USUAL;
  return errors.flatMap((code): [string, Case][] => {
    const found = own[code] ?? usual[code]?.(id);
    return found ? [[`${id} ${code}`, found]] : [];
  });
}

/** Sends the operation's sample request as an admin, about the owner. */
export async function sendAsAdmin(scene: Scene, id: string, body: object = {}) {
  const { headers } = await newStaff(scene.id, "admin");
  return send(scene, id, { headers, at: scene.owner.id, body });
}

/** Brings about by a statement what no single request does. */
export function change(statement: ReturnType<typeof sql>) {
  return testDatabase().db.execute(statement);
}
