import type { Entries } from "#lib/api/reference/entry.ts";
import { IDS, KEY_ACTOR, REQUEST_ID, STAFF_ACTOR } from "#lib/api/reference/samples.ts";

const AT = "2026-11-21T07:56:40.105Z";

const API_KEY = {
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
};

const LOGGED_REQUEST = {
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

const CREDIT_BODY = JSON.stringify({ card_id: IDS.card, amount: 2_000 });
const REFUSAL_BODY = JSON.stringify({
  type: "/docs/errors#insufficient_float",
  title: "Insufficient float",
  status: LOGGED_REQUEST.status,
  detail: LOGGED_REQUEST.detail,
  instance: LOGGED_REQUEST.path,
  code: LOGGED_REQUEST.code,
  request_id: REQUEST_ID,
  message: "Unprocessable entity",
  errors: { amount: [LOGGED_REQUEST.detail] },
});

export const ACCESS: Entries = {
  listApiKeys: {
    description: "Revoked and expired keys too.",
    example: { answer: { data: [API_KEY] } },
  },
  createApiKey: {
    description: "The key itself is in api_key, and nowhere else: store it before you go on.",
    example: {
      body: { name: "First key", scopes: ["cards:read", "cards:write"] },
      answer: { data: API_KEY, api_key: "fd_test_3q2cJq0m9v5tq7B8kY1zX4wN6sR2hL0p" },
    },
  },
  revokeApiKey: {
    description: "Final.",
    example: { id: IDS.apiKey, answer: { data: { ...API_KEY, revoked_at: AT } } },
  },
  listAuditLog: {
    description: "Who changed what, and which changes were refused.",
    example: {
      query: { from: "2026-11-01", limit: "15" },
      answer: {
        data: [
          {
            id: IDS.entry,
            actor: STAFF_ACTOR,
            action: "api_key.created",
            target_type: "api_key",
            target_id: IDS.apiKey,
            before: null,
            after: { name: "First key" },
            address: "203.0.113.7",
            agent: "Mozilla/5.0",
            request_id: REQUEST_ID,
            created_at: AT,
          },
        ],
        next_cursor: null,
      },
    },
  },
  listApiLog: {
    description: "What was requested, by which key or person, and how it was answered.",
    example: {
      query: { method: "PATCH", limit: "15" },
      answer: {
        data: [LOGGED_REQUEST],
        next_cursor: null,
      },
    },
  },
  getLoggedRequest: {
    description:
      "Bodies are kept for 7 days, the rest for 30. Values that may hold personal data are [redacted].",
    example: {
      id: IDS.entry,
      answer: {
        data: {
          ...LOGGED_REQUEST,
          bodies: "kept",
          request: {
            form: "whole",
            unknown_members: 0,
            text: CREDIT_BODY,
            body: JSON.parse(CREDIT_BODY),
          },
          response: {
            form: "whole",
            unknown_members: 0,
            text: REFUSAL_BODY,
            body: JSON.parse(REFUSAL_BODY),
          },
        },
      },
    },
  },
  listDeprecations: {
    description: "Every deprecated operation, also one that no key has called.",
    example: {
      answer: {
        data: [
          {
            operation: "topUpCard",
            method: "PATCH",
            path: "/api/cards/top-up",
            deprecated_in: "0.5.0",
            deprecated_at: "2026-01-01T00:00:00.000Z",
            sunset_at: null,
            replacement: {
              method: "PATCH",
              path: "/api/cards/credit/balance",
              body: { card_id: IDS.card, amount: 2_000 },
            },
            keys: [],
          },
        ],
      },
    },
  },
};
