import { IDS } from "#lib/api/contract/samples.ts";

export const INBOX_URL =
  "https://sandbox.example.com/inbox/7uS0pQ0w1nJm2vYkTzXc4aRbEdFgHiLoMqPsUtVwXyZ";

export const AT = "2026-11-21T07:56:40.105Z";

export const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

export const PENDING = {
  id: IDS.delivery,
  endpoint_id: IDS.integrator,
  event_id: IDS.delivery,
  event: "webhook.test",
  card_id: null,
  state: "pending",
  attempt_count: 0,
  next_attempt_at: AT,
  last_attempt_at: null,
  last_status: null,
  last_failure: null,
  delivered_at: null,
  created_at: AT,
};

export const ENDPOINT = {
  id: IDS.integrator,
  webhook_url: "https://hooks.northwind.example/floatdeck",
  events: null,
  headers: {},
  format: "event",
  state: "on",
  switched_off_at: null,
  switched_off_reason: null,
  failing_since: null,
  last_success_at: AT,
  last_failure_at: null,
  previous_secret_until: null,
  source_addresses: null,
};

/** An endpoint beside the account's. */
export const FURTHER_ENDPOINT = {
  ...ENDPOINT,
  id: IDS.endpoint,
  webhook_url: "https://ledger.northwind.example/cards",
  events: ["card.credited", "card.debited"],
  headers: { authorization: "[redacted]" },
  last_success_at: null,
};
