import { foreignKey, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { cardholders } from "./integrators.ts";

/**
 * A cardholder's values that belong to a row that never changes: an event, a row of the audit log, or a change of a
 * card's state, whose id is `record_id`. In their place, the row has what it shows after an erasure; readers merge
 * `content`, a JSON object, into it. Erasing the cardholder deletes these rows, and nothing else does.
 */
export const personalValues = pgTable(
  "personal_values",
  {
    integratorId: uuid("integrator_id").notNull(),
    recordId: uuid("record_id").notNull(),
    cardholderId: uuid("cardholder_id").notNull(),
    content: text("content").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.recordId] }),
    // Locks the cardholder's key, for which an erasure waits.
    foreignKey({
      name: "personal_values_cardholder",
      columns: [table.integratorId, table.cardholderId],
      foreignColumns: [cardholders.integratorId, cardholders.id],
    }),
    index("personal_values_cardholder").on(table.integratorId, table.cardholderId, table.recordId),
  ],
);

/**
 * The columns that may hold a cardholder's personal values, by table. An erasure clears each of them, so no
 * append-only table is among them. Every other column of text or JSON is in `IMPERSONAL_COLUMNS`; a column that
 * allows only certain words needs to be in neither. `db/personal-columns.test.ts` fails for a column that is in no
 * list.
 */
export const PERSONAL_COLUMNS: Readonly<Record<string, string>> = {
  approvals: "comment request",
  api_log: "detail idempotency_key",
  api_log_bodies: "request response",
  bulk_items: "narrative replaced restores",
  bulk_jobs: "terms",
  cardholders: "address email first_name id_last4 id_type last_name phone_number user_photo",
  cards: "card_name freezes metadata",
  idempotent_requests: "body",
  inbox_notifications: "body headers",
  personal_values: "content",
  saved_views: "name query",
  transactions: "as_received authorized_as narrative",
  unmatched_facts: "personal",
  webhook_attempts: "response_body response_headers",
};

/**
 * The columns that hold no cardholder's values. Names of keys and staff, and what they call themselves, are not a
 * cardholder's; a merchant is a business; references and request ids are identifiers that the guides ask not to
 * derive from a person. A hash stands for an idempotency key, a placeholder in a path for what cannot be an id, and
 * the audit log names no member that the contract does not know.
 */
export const IMPERSONAL_COLUMNS: Readonly<Record<string, string>> = {
  api_keys: "created_by hash name prefix scopes suffix",
  approvals: "decided_by idempotency_key operation request_id requested_by",
  api_log: "actor address api_version code method operation path request_id",
  api_log_hours: "code operation",
  audit_log: "action actor address after agent before request_id target_type",
  bulk_items: "code detail replaced_controls restores_controls",
  bulk_jobs: "actor address agent request_id",
  card_rollups: "status",
  card_state_changes: "actor request_id",
  cards: "currency design_type first_six last4 provider",
  deprecated_calls: "operation",
  deprecated_uses: "operation",
  entries: "currency",
  events: "api_version content event",
  idempotent_requests: "content_type fingerprint key operation request_id",
  inbox_notifications: "event fault",
  installation: "earlier_secret_checks id public_url read_only_by secret_check",
  integrators:
    "approval auto_freeze business_address business_name card_color contact_number country currency domain email first_name last_name program_name registration_number spending_controls time_zone",
  ledger_accounts: "currency limit_uses spending_controls",
  messages: "content email kind last_answer",
  processes: "secret_checks",
  processor_operations:
    "awaits body content_type fingerprint operation reference request_id takes_back",
  recovery_codes: "hash",
  sandbox_inboxes: "token token_hash",
  sign_in_failures: "address name_hash",
  spend_rollups: "category country",
  staff: "email first_name last_name muted_topics password_hash password_reset_by totp_secret",
  staff_links: "created_by email token_hash",
  staff_sessions: "address agent network token_hash",
  transactions:
    "actor address currency decline_explanation decline_reason merchant merchant_currency overruled_decline request_id",
  transfer_rollups: "kind",
  transfers: "currency idempotency_key request_id",
  unmatched_facts: "authorization_reference fingerprint message reference request_id",
  webhook_attempts: "address detail failure request_headers url",
  webhook_deliveries: "event last_failure traceparent",
  webhook_endpoints: "events headers secret url",
  webhook_previous_secrets: "secret",
};
