import type postgres from "postgres";
import { testDatabase } from "#test/database/database.ts";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import type { Scale } from "#test/database/scaled-books.ts";
import { dropSearchIndexes } from "#test/database/table-figures.ts";
import { toTestIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";

/** As many rows per request as there are fund movements; fewer rows for people and keys. */
const ROWS = 40_000;
const PEOPLE = 20_000;

/** An account with cards and transactions, and with many rows in every other table that writes look into. Nothing is analyzed. */
export async function newLargeAccount(owner: postgres.Sql, scale: Scale): Promise<TestIntegrator> {
  const { url: appUrl, ownerUrl } = testDatabase();
  const restore = await dropSearchIndexes(owner);
  const { integratorId: id, apiKey } = await createScaledBooks({ appUrl, ownerUrl }, scale, {
    unguarded: true,
  });
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    for (const statement of toLoadStatements(id)) {
      await tx.unsafe(statement);
    }
  });
  await restore();
  return toTestIntegrator({ id, apiKey });
}

/** Fills the other tables that writes look into. Triggers and foreign keys must be disabled. */
function toLoadStatements(integratorId: string): string[] {
  const owner = `'${integratorId}'::uuid`;
  const requests = `generate_series(1, ${ROWS}) as n`;
  const people = `generate_series(1, ${PEOPLE}) as n`;
  return [
    `insert into idempotent_requests (integrator_id, key, fingerprint, status, content_type, body, request_id)
      select ${owner}, 'scale ' || n, 'none', 200, 'application/json', '{}', 'load' from ${requests}`,
    `insert into processor_operations (reference, operation, fingerprint, status, content_type, body, integrator_id,
        transaction_id, api_key_id, request_id)
      select 'load ' || id, 'createRefund', 'none', 200, 'application/json', '{}', ${owner}, id, gen_random_uuid(), 'load'
      from transactions where integrator_id = ${owner}`,
    // Half of them are delivered; the others are due tomorrow.
    `insert into webhook_deliveries (endpoint_id, event_id, event, card_id, state, due_at, delivered_at)
      select ${owner}, id, event, subject_id, case when sequence % 2 = 0 then 'delivered' else 'pending' end,
        now() + interval '1 day', case when sequence % 2 = 0 then now() end
      from events where integrator_id = ${owner}`,
    `insert into webhook_attempts (endpoint_id, event_id, number, url, started_at, duration_ms, request_headers)
      select ${owner}, event_id, 1, 'https://hooks.example', now(), 5, '{}'
      from webhook_deliveries where endpoint_id = ${owner}`,
    `insert into staff (integrator_id, id, email, first_name, last_name, role)
      select ${owner}, gen_random_uuid(), 'load' || n || '@staff.example', 'Kim', 'Load', 'viewer' from ${people}`,
    `insert into staff_sessions (id, token_hash, integrator_id, staff_id)
      select gen_random_uuid(), 'load ' || id, ${owner}, id from staff where integrator_id = ${owner}`,
    `insert into staff_links (integrator_id, id, kind, token_hash, email, role, created_by, expires_at)
      select ${owner}, gen_random_uuid(), 'invitation', 'load ' || n, 'load' || n || '@new.example', 'viewer',
        jsonb_build_object('type', 'staff', 'id', gen_random_uuid(), 'name', 'Load'), now() + interval '7 days'
      from ${people}`,
    `insert into recovery_codes (integrator_id, staff_id, hash)
      select ${owner}, id, 'load' from staff where integrator_id = ${owner}`,
    `insert into sign_in_failures (id, name_hash, address, created_at)
      select gen_random_uuid(), 'load ' || n, 'load ' || n, now() from ${people}`,
    `insert into api_keys (id, integrator_id, name, hash, prefix, suffix, scopes, created_by)
      select gen_random_uuid(), ${owner}, 'Load', encode(sha256(n::text::bytea), 'hex'), 'fd', 'load', '{cards:read}', 'load'
      from ${people}`,
  ];
}
