import { and, eq, sql } from "drizzle-orm";
import { toApiKeyResource } from "#lib/access/api-key-resource.ts";
import { KEY_COLUMNS } from "#lib/access/api-keys.ts";
import { EXPIRY } from "#lib/base/actor.ts";
import { readMoment } from "#lib/base/moment.ts";
import { log } from "#lib/base/log.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiKeys, integrators } from "#db/schema/integrators.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** How long before its expiry a key is announced. A key with less time left is announced by the next sweep. */
const NOTICE_DAYS = 7;

const ACCOUNTS_MAX = 100;

const IS_ENDING = sql`expires_at > statement_timestamp()
  and expires_at <= statement_timestamp() + make_interval(days => ${NOTICE_DAYS})
  and end_announced_at is null and revoked_at is null and integrator_id is not null`;

/**
 * Records `api_key.expiring` for keys that expire soon, once for each expiry that a key is given. Keys expire by real
 * time, even in a sandbox whose clock is ahead. Any number of processes may call it.
 */
export async function announceKeyEnds(db: Db): Promise<void> {
  const rows = await inTime(() =>
    db.execute<{ id: string }>(sql`
      select distinct integrator_id as id from api_keys where ${IS_ENDING} limit ${ACCOUNTS_MAX}`),
  );
  for (const { id } of rows) {
    await announceOf(db, id).catch((error: unknown) => {
      log.error({ err: error, integratorId: id }, "API keys that end soon could not be announced.");
    });
  }
}

/** Each process waits for the account's row, and then finds only keys that no other process has announced. */
async function announceOf(db: Db, integratorId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [account] = await tx
      .select({ integratorId: integrators.id, apiVersion: integrators.apiVersion })
      .from(integrators)
      .where(eq(integrators.id, integratorId))
      .for("no key update");
    const keys = await tx
      .update(apiKeys)
      .set({ endAnnouncedAt: NOW })
      .where(and(eq(apiKeys.integratorId, integratorId), IS_ENDING))
      .returning(KEY_COLUMNS);
    if (!account || keys.length === 0) {
      return;
    }
    const requestId = (await readMoment(tx)).newId();
    await recordAccountEvents(
      tx,
      account,
      keys.map((key) => ({
        event: "api_key.expiring" as const,
        subject: { type: "account" as const, id: integratorId },
        actor: EXPIRY,
        requestId,
        data: toApiKeyResource(key),
      })),
    );
  });
}
