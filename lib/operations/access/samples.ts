import { IDS, KEY_ACTOR, REQUEST_ID } from "#lib/api/contract/samples.ts";

export const AT = "2026-11-21T07:56:40.105Z";

export const API_KEY = {
  id: IDS.apiKey,
  name: "First key",
  prefix: "fd_test_3q2c",
  suffix: "hL0p",
  scopes: ["cards:read", "cards:write"],
  expires_at: null,
  created_by: "Ada Winter",
  created_at: AT,
  last_used_at: null,
  revoked_at: null,
  exempted_at: null,
};

export const LOGGED_REQUEST = {
  id: IDS.entry,
  actor: KEY_ACTOR,
  operation: "creditCard",
  method: "PATCH",
  path: "/api/cards/credit/balance",
  status: 422,
  code: "insufficient_float",
  detail: "Needs $20.00, but the float has $5.00 available.",
  card_id: IDS.card,
  duration_ms: 7,
  request_id: REQUEST_ID,
  address: "203.0.113.7",
  api_version: "0.5.0",
  idempotency_key: "credit-4711",
  replayed: false,
  created_at: AT,
};
