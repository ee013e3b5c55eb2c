import type { Sql } from "postgres";
import { moveFunds } from "#lib/funds/funds.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { newId } from "#lib/base/ids.ts";
import { openDatabase } from "#db/client.ts";
import { connect } from "#db/connect.ts";
import { inTransaction } from "#db/transaction.ts";
import { drive } from "./measure.ts";
import type { Sample } from "./measure.ts";
import type { Fixture } from "./fixture.ts";
import type { Stage } from "./stage.ts";

/** Each baseline runs once with each of these numbers of connections. */
export const BASELINE_CONNECTIONS = [1, 4, 16] as const;

interface Load {
  workers: number;
  durationMs: number;
}

/** Baseline A: the product's own code for a credit, one transaction per credit, without group commit and HTTP. */
export async function driveSingly(stage: Stage, fixture: Fixture, load: Load): Promise<Sample> {
  const opened = openDatabase(stage.database.localUrl, { max: load.workers });
  try {
    return await drive(load, async () => {
      const request = { id: newId(), address: null, agent: "bench" };
      await inTransaction(opened.db, (tx) =>
        performOne(tx, moveFunds, {
          kind: "credit",
          actor: fixture.actor,
          request,
          cardId: fixture.pickCard(),
          amount: 1,
          idempotencyKey: null,
        }),
      );
    });
  } finally {
    await opened.close();
  }
}

/** Baseline B: one SQL function call per credit. The function writes the same rows and does nothing else. */
export function driveLean(stage: Stage, fixture: Fixture, load: Load): Promise<Sample> {
  return driveCalls(
    stage,
    load,
    (sql) => sql`select bench_credit(${fixture.integratorId}, ${fixture.pickCard()}, 1)`,
  );
}

/** Baseline B for authorizations. */
export function driveLeanAuthorization(
  stage: Stage,
  fixture: Fixture,
  load: Load,
): Promise<Sample> {
  return driveCalls(
    stage,
    load,
    (sql) =>
      sql`select bench_authorize(${fixture.integratorId}, ${fixture.pickSpendableCard()}, 1, ${fixture.processor.id})`,
  );
}

async function driveCalls(
  stage: Stage,
  load: Load,
  call: (sql: Sql) => Promise<unknown>,
): Promise<Sample> {
  const sql = connect(stage.database.localUrl, { max: load.workers, onnotice: () => undefined });
  try {
    return await drive(load, async () => {
      await call(sql);
    });
  } finally {
    await sql.end();
  }
}

/** Creates the SQL functions of baseline B. */
export async function createLeanFunctions(stage: Stage): Promise<void> {
  const sql = connect(stage.database.ownerUrl, { max: 1, onnotice: () => undefined });
  await sql.unsafe(LEAN_CREDIT);
  await sql.unsafe(LEAN_AUTHORIZATION);
  await sql.end();
}

const LEAN_AUTHORIZATION = `
create or replace function bench_authorize(tenant uuid, card uuid, asked bigint, api_key uuid) returns void
language plpgsql as $$
declare
  a record;
  the_transaction uuid := uuidv7();
  the_event uuid := uuidv7();
  actor jsonb := '{"type": "processor", "id": null, "name": "Bench"}';
begin
  select balance, held, event_sequence, status, currency into a from ledger_accounts
    where integrator_id = tenant and id = card for no key update;
  if a.status <> 'active' or a.balance - a.held < asked then
    raise exception 'declined';
  end if;
  update ledger_accounts set held = held + asked, event_sequence = event_sequence + 1, updated_at = clock_timestamp()
    where integrator_id = tenant and id = card;
  insert into transactions (integrator_id, id, card_id, type, status, amount, currency, card_balance_before,
      card_balance_after, narrative, merchant, hold_amount, hold_captured, hold_released, hold_expires_at, actor,
      request_id)
    values (tenant, the_transaction, card, 'deduct', 'authorized', asked, a.currency, a.balance, a.balance,
      'BLUE BOTTLE*OAK', '{"name": "Blue Bottle", "mcc": "5814", "city": "Oakland", "country": "US"}', asked, 0, 0,
      clock_timestamp() + interval '7 days', actor, 'bench');
  insert into events (integrator_id, id, event, subject_type, subject_id, sequence, api_version, content)
    values (tenant, the_event, 'card.transaction', 'card', card, a.event_sequence + 1, '0.5.0',
      json_build_object('data', json_build_object('card_id', card,
        'amount', asked, 'reference', the_transaction, 'status', 'authorized'))::text);
  insert into processor_operations (reference, operation, fingerprint, status, content_type, body, integrator_id,
      transaction_id, api_key_id, request_id)
    values (gen_random_uuid(), 'createAuthorization', 'bench', 200, 'application/json; charset=utf-8',
      json_build_object('id', the_transaction, 'decision', 'approved', 'decline_reason', null, 'available',
        a.balance - a.held - asked)::text, tenant, the_transaction, api_key, 'bench');
end $$`;

const LEAN_CREDIT = `
create or replace function bench_credit(tenant uuid, card uuid, asked bigint) returns void language plpgsql as $$
declare
  a record;
  f record;
  the_transfer uuid := uuidv7();
  the_transaction uuid := uuidv7();
  the_event uuid := uuidv7();
  actor jsonb := '{"type": "system", "id": null, "name": "Bench"}';
begin
  select balance, version, event_sequence, status, currency into a from ledger_accounts
    where integrator_id = tenant and id = card for no key update;
  select id, balance, held, version into f from ledger_accounts
    where integrator_id = tenant and kind = 'float' for no key update;
  if a.status = 'closed' or f.balance - f.held < asked then
    raise exception 'refused';
  end if;
  update ledger_accounts set balance = balance + asked, version = version + 1, event_sequence = event_sequence + 1,
    updated_at = clock_timestamp() where integrator_id = tenant and id = card;
  update ledger_accounts set balance = balance - asked, version = version + 1, updated_at = clock_timestamp()
    where integrator_id = tenant and id = f.id;
  insert into transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount, request_id)
    values (tenant, the_transfer, 'card_credit', a.currency, f.id, card, asked, 'bench');
  insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after) values
    (tenant, the_transfer, f.id, a.currency, -asked, f.version + 1, f.balance - asked),
    (tenant, the_transfer, card, a.currency, asked, a.version + 1, a.balance + asked);
  insert into transactions (integrator_id, id, card_id, transfer_id, type, status, amount, currency, account_version,
      card_balance_before, card_balance_after, actor, request_id, settled_at)
    values (tenant, the_transaction, card, the_transfer, 'credit', 'settled', asked, a.currency, a.version + 1, a.balance,
      a.balance + asked, actor, 'bench', clock_timestamp());
  insert into events (integrator_id, id, event, subject_type, subject_id, sequence, transfer_id, api_version, content)
    values (tenant, the_event, 'card.credited', 'card', card, a.event_sequence + 1, the_transfer, '0.5.0',
      json_build_object('data', json_build_object('card_id', card, 'amount',
        asked, 'reference', the_transaction, 'card_balance_after', a.balance + asked))::text);
  insert into audit_log (integrator_id, id, actor, action, target_type, target_id, after, request_id)
    values (tenant, uuidv7(), actor, 'card.credited', 'card', card,
      jsonb_build_object('amount', asked, 'reference', the_transaction), 'bench');
end $$`;
