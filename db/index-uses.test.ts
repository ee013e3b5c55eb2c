import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { readFor } from "#db/reads.ts";
import { readLimitUses } from "#lib/cards/limit-uses.ts";
import { newId } from "#lib/base/ids.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { announceKeyEnds } from "#lib/access/key-ends.ts";
import { listWaitingFor } from "#lib/approvals/approvals.ts";
import { expireApprovals } from "#lib/approvals/expire-approvals.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { findDiscrepanciesSince } from "#lib/ledger/verify.ts";
import { claimMessages } from "#lib/messages/internal/claim.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { readFigures } from "#lib/operator/figures.ts";
import { removeExpired } from "#lib/operator/retention.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { endFreezes } from "#lib/clock/internal/freeze-ends.ts";
import { freezeIdleCards } from "#lib/clock/internal/idle-freezes.ts";
import { findWaitingCaptures } from "#lib/processor/unmatched.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import { signIn } from "#lib/staff/sign-in.ts";
import { openInbox } from "#lib/webhooks/inbox-receive.ts";
import { claimDue } from "#lib/webhooks/internal/claim.ts";
import { inLongTransaction } from "#db/long-transactions.ts";
import { inTransaction } from "#db/transaction.ts";
import { HOLDS_FREEZES } from "#db/schema/bulk.ts";
import { testDatabase } from "#test/database/database.ts";
import { newLargeAccount } from "#test/database/load.ts";
import { switchOffAutovacuum } from "#test/database/table-figures.ts";
import { call } from "#test/scene/api-client.ts";
import { prepareExample } from "#test/scene/examples.ts";
import type { ExampleAccount } from "#test/scene/example-scene.ts";
import { newProcessorKey } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";

/**
 * Every index with a statement that reads it, on an account with thousands of rows. An index that nothing reads only
 * costs.
 */

const SCALE = { cards: 2_000, transactionsPerCard: 4 };

let owner: postgres.Sql;
let account: ExampleAccount;
let card = { id: "", holder: "", last4: "" };

beforeAll(async () => {
  const { name, url, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  const large = await newLargeAccount(owner, SCALE);
  account = { ...large, owner: await newStaff(large.id, "owner") };
  await setWebhookUrl(large, "https://hooks.example");
  const [first] = await owner<(typeof card)[]>`
    select id, cardholder_id as holder, last4 from cards where integrator_id = ${large.id} limit 1`;
  card = first ?? card;
  // What decides between searching by text, or for expired holds, and reading in order.
  await owner`analyze cards, cardholders, transactions`;
  // Some tables have few rows here, which would be read as a whole.
  await owner`alter database ${owner(name)} set enable_seqscan = off`;
  // One connection for writes and one for reads, so that their counters can be read.
  await closeDatabase();
  configureDatabase(url, { max: 1, readsMax: 1 });
}, 120_000);

afterAll(() => owner.end());

/** Sends a read with the account's key. */
const key = (toPath: () => string) => () => call(`GET ${toPath()}`, { key: account.apiKey });

/** Sends a read as the account's owner. */
const staff = (toPath: () => string) => () =>
  call(`GET ${toPath()}`, { headers: account.owner.headers });

/** Sends every example of an operation. */
const sent = (id: string) => async () => {
  for (const operation of OPERATIONS.filter((each) => each.id === id)) {
    for (const example of operation.examples) {
      const send = await prepareExample(account, operation, example);
      await send();
    }
  }
};

/** What reads by each index that is no primary key. Those of the API log are its first partition's. */
const USES: Readonly<Record<string, () => Promise<unknown>>> = {
  api_keys_ending: () => announceKeyEnds(database()),
  api_keys_hash: key(() => "/webhooks"),
  api_keys_integrator: sent("listApiKeys"),
  api_keys_maker: sent("removeStaff"),
  api_log_bodies_age: () => removeExpired(database()),
  api_log_default_age: () => removeExpired(database()),
  api_log_earlier_age: () => removeExpired(database()),
  api_log_earlier_failures: staff(() => "/api-log?outcome=refused"),
  api_log_earlier_integrator: staff(() => "/api-log"),
  api_log_earlier_refusals: key(() => `/cards/${card.id}/activity`),
  api_log_hours_age: () => removeExpired(database()),
  approvals_waiting: () => expireApprovals(database()),
  approvals_waiting_own: () =>
    listWaitingFor(
      { db: database(), actor: { integratorId: account.id, ref: account.actor.ref } },
      account.owner.id,
      10,
    ),
  audit_log_action: staff(() => "/audit-log?action=card.frozen"),
  audit_log_notes: key(() => `/cards/${card.id}/activity`),
  audit_log_refused: staff(() => "/audit-log?action=refused"),
  audit_log_staff: staff(() => `/audit-log?actor_id=${account.owner.id}`),
  audit_log_target: staff(() => `/audit-log?target_id=${card.id}`),
  card_state_changes_card: key(() => `/cards/${card.id}/activity`),
  card_state_changes_xid: () => rollUp(database()),
  // As an erasure does.
  bulk_items_freezes: () =>
    database().execute(sql`
      select from bulk_items where integrator_id = ${account.id} and card_id = ${card.id} and ${HOLDS_FREEZES}`),
  bulk_items_state: sent("createBulkJob"),
  bulk_jobs_age: () => removeExpired(database()),
  bulk_jobs_running: () => runBulkJobs(database()),
  cardholders_archived: key(() => "/card-integrators/card-users?archived=true"),
  cardholders_email: sent("registerUser"),
  cardholders_erasing: () => completeErasures(database()),
  cardholders_search: key(() => "/card-integrators/card-users?search=zzyzx"),
  cards_cardholder: key(() => `/cards?user_id=${card.holder}`),
  cards_cover_outstanding: key(() => "/cards?cover_outstanding=true"),
  cards_id: sent("createRefund"),
  cards_last4: key(() => `/cards?search=${card.last4}`),
  cards_metadata: key(() => "/cards?metadata[order]=4711"),
  cards_name: key(() => "/cards?search=zzyzx"),
  deprecated_calls_created_at: () => removeExpired(database()),
  entries_account_version: key(() => "/card-integrators/float/entries"),
  events_feed: key(() => "/events"),
  events_rare: key(() => "/events?event=card.frozen"),
  events_sequence: key(() => `/events?subject_id=${card.id}`),
  events_transfer: checkBooks,
  idempotent_requests_age: () => removeExpired(database()),
  inbox_notifications_age: () => removeExpired(database()),
  integrators_clock: () => expireHolds(database()),
  integrators_idle_fill: () => freezeIdleCards(database()),
  ledger_accounts_freeze_due: () => endFreezes(database()),
  // As an advance of the sandbox clock does.
  ledger_accounts_freeze_due_own: () => owner`
    select id from ledger_accounts where integrator_id = ${account.id} and freeze_due_at <= now() order by freeze_due_at`,
  ledger_accounts_idle_due: () => freezeIdleCards(database()),
  // As an advance of the sandbox clock does.
  ledger_accounts_idle_due_own: () => owner`
    select id from ledger_accounts where integrator_id = ${account.id} and idle_due_at <= now() order by idle_due_at`,
  ledger_accounts_single: sent("creditCard"),
  ledger_accounts_status: key(() => "/cards?status=closed"),
  messages_about: sent("revokeInvitation"),
  messages_age: () => removeExpired(database()),
  messages_due: () => claimMessages(database(), 1),
  messages_failed: () => readFigures(database()),
  // As an erasure does.
  personal_values_cardholder: () =>
    database().execute(sql`
      select from personal_values where integrator_id = ${account.id} and cardholder_id = ${card.holder}`),
  // As the trigger transfers_funding does for a live account.
  processor_operations_funding: () => owner`
    select from processor_operations
    where operation = 'createFunding' and integrator_id = ${account.id} and request_id = 'none'`,
  processor_operations_awaits: sent("createAuthorization"),
  processor_operations_takes_back: sent("createPosting"),
  processor_operations_transaction: sent("createCapture"),
  sandbox_inboxes_token: () => openInbox(database(), "unknown").catch(() => undefined),
  saved_views_own: staff(() => "/views?list=cards"),
  saved_views_shared: staff(() => "/views?list=cards"),
  sign_in_failures_address: trySignIn,
  sign_in_failures_age: () => removeExpired(database()),
  sign_in_failures_name: trySignIn,
  staff_email: trySignIn,
  staff_links_email: sent("inviteStaff"),
  staff_links_maker: sent("removeStaff"),
  staff_links_person: sent("resetPassword"),
  staff_links_token: sent("acceptInvitation"),
  staff_sessions_age: () => removeExpired(database()),
  staff_sessions_staff: sent("revokeSessions"),
  staff_sessions_token: staff(() => "/audit-log"),
  staff_told: sent("createApiKey"),
  transactions_account_version: checkBooks,
  transactions_amount: key(() => "/transactions?amount_min=900000000"),
  transactions_captures: sent("createCapture"),
  transactions_card: key(() => `/cards/${card.id}/transactions`),
  transactions_category: key(() => "/transactions?mcc=5814"),
  transactions_counted: async () => {
    const uses = {
      integratorId: account.id,
      cardId: card.id,
      limits: [{ amount: 1, interval: "daily", categories: null }] as const,
    };
    await readLimitUses(database(), { ...uses, uses: null, timeZone: "UTC", now: new Date() });
  },
  transactions_country: key(() => "/transactions?country=US"),
  transactions_covered: key(() => "/transactions?covered=deficit"),
  // As the guards of cover do.
  transactions_covers: () => owner`
    select from transactions where integrator_id = ${account.id} and cover_of = ${card.id}`,
  transactions_declines: key(() => "/transactions?decline_reason=card_frozen"),
  transactions_hold_expiry: () => expireHolds(database()),
  // As a message for an authorization that has ended does.
  transactions_increments: () => owner`
    select from transactions where integrator_id = ${account.id} and increment_of = ${card.id}
      and hold_captured + hold_released < hold_amount order by id desc limit 1`,
  transactions_kind: key(() => "/transactions?type=debit"),
  transactions_open_holds: sent("createCapture"),
  transactions_posted_as: key(() => "/transactions?posted_as=after_expiry"),
  transactions_refunds: sent("createRefund"),
  // As the guards of contras do.
  transactions_taken_back: () => owner`
    select from transactions where integrator_id = ${account.id} and takes_back = ${card.id}`,
  transactions_text: key(() => "/transactions?search=zzyzx"),
  transfers_idempotency_key: sent("creditCard"),
  transfers_rare: key(() => "/card-integrators/float/entries?kind=float_top_up"),
  transfers_xid: checkBooks,
  // An unknown card.
  unapproved_moves_age: () => removeExpired(database()),
  // As a move does in an account whose moves need a second person.
  unapproved_moves_person: () =>
    database().execute(sql`
      select sum(amount) from unapproved_moves where integrator_id = ${account.id} and staff_id in (${account.owner.id})
        and created_at > clock_timestamp() - make_interval(hours => 24)`),
  unmatched_facts_content: async () => {
    const body = { reference: newId(), card_id: newId(), amount: 1 };
    await call("POST /processor/captures", { key: await newProcessorKey(), body });
  },
  unmatched_facts_waiting: () =>
    inTransaction(database(), async (tx) => void (await findWaitingCaptures(tx, [newId()]))),
  webhook_deliveries_age: () => removeExpired(database()),
  webhook_deliveries_card: key(() => `/webhook-deliveries?card_id=${card.id}`),
  webhook_deliveries_due: claim,
  webhook_deliveries_in_flight: claim,
  webhook_deliveries_missed: key(() => "/webhook-deliveries?state=exhausted"),
  webhook_deliveries_rare: key(() => "/webhook-deliveries?event=card.frozen"),
  webhook_endpoints_place: key(() => "/webhooks"),
  webhook_previous_secrets_age: () => removeExpired(database()),
};

function checkBooks(): Promise<unknown> {
  return inLongTransaction(database(), (tx) => findDiscrepanciesSince(tx, "0"));
}

function claim(): Promise<unknown> {
  return claimDue(database(), { workerId: newId(), room: 4, roomForFurther: 4, after: null });
}

function trySignIn(): Promise<unknown> {
  const request = { id: newId(), address: "192.0.2.1", agent: null };
  const wrong = { email: "nobody@example.com", password: "a wrong password", code: null };
  return signIn(database(), { ...wrong, request, browser: null });
}

async function readScans(index: string): Promise<number> {
  const flush = sql`select pg_stat_force_next_flush()`;
  await Promise.all([database().execute(flush), owner`select pg_stat_force_next_flush()`]);
  await readFor(account.id, (db) => db.execute(flush));
  const [row] = await owner<{ scans: number }[]>`
    select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = ${index}`;
  return row?.scans ?? Number.NaN;
}

test.each(Object.entries(USES))("%s is read", async (index, read) => {
  const before = await readScans(index);
  await read();
  expect(await readScans(index)).toBeGreaterThan(before);
});

test("every other index is a primary key, or a foreign key needs it", async () => {
  const rows = await owner<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not i.indisprimary
      and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid)
      and c.relname !~ '^api_log_(?!earlier_|bodies_|hours_|default_age)'`;
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(USES).toSorted());
});
