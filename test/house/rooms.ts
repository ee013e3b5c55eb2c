/**
 * The rooms of lib, the lowest first, and what each holds. A room imports only from those before it. What it keeps to itself
 * is in its folder `internal`, which no other room, page, or program enters.
 */
export const ROOMS: ReadonlyMap<string, string> = new Map([
  ["base", "what every room may use; imports nothing else of lib"],
  ["ledger", "the only code that changes a balance; the ledger check"],
  ["group-commit", "requests that share a transaction"],
  ["record", "what is written with every change: events, the audit log"],
  ["access", "API keys and roles"],
  ["cards", "a card: its state, its freeze, its issue; cardholders"],
  ["webhooks", "endpoints, deliveries, the sender and its worker"],
  ["transactions", "transactions: kinds, records, decline rules, reads"],
  ["staff", "people, sessions, sign-in, second factor, one-time links"],
  ["funds", "credit, debit, top-up, sweep; the float"],
  ["integrators", "the account and its settings"],
  ["auth", "a request becomes an actor; the session cookie"],
  ["purchases", "authorize, capture, reverse, refund, expire; the simulator"],
  ["overview", "the figures of the overview; what needs looking after"],
  ["clock", "the clock that a sandbox's deadlines follow; every deadline"],
  ["processor", "the card network's side"],
  ["operator", "the installation: its identity, demo, retention, readiness"],
  ["api/contract", "what declarations are made of: schemas and filters"],
  ["operations", "every operation, declared once"],
  ["api/wire", "rows become resources, refusals become problems"],
  ["api/replay", "a repeat gets its first answer"],
  ["api/export", "CSV"],
  ["api/edge", "the way of a request: admit, read, perform, respond"],
  ["api/openapi", "the parts of the OpenAPI document"],
  ["api", "router, OpenAPI document, changelog, browser client"],
  [
    "api/client-package",
    "the client library and its command, which the server serves; their source",
  ],
  ["scenarios", "reads and runs the scenarios of docs/scenarios; browsers run them, too"],
]);
