import type { ApiVersion } from "#lib/base/api-versions.ts";

/** What came with a version besides operations and deprecations, which are declared with the operation itself. */
interface Changes {
  added: readonly string[];
  changed: readonly string[];
}

/** Changes of every version: they need no version, because existing clients do not notice them. */
export const UNVERSIONED_CHANGES: Changes = {
  added: [
    "`GET` and `PATCH /card-integrators/card-users/{id}`, `POST .../archive` and `.../unarchive`.",
    "`GET /card-integrators/card-users`: the filters `email` and `archived`; `search` also finds text inside a name or email.",
    "`PATCH /cards/{id}` for `metadata`; `GET /cards` and `GET /exports/cards` filter by `metadata[key]`.",
    "The events `card.updated`, `user.updated`, `user.archived`, and `user.unarchived`.",
    "The error codes `user_archived` and `user_has_cards`.",
    "`POST /card-integrators/card-users/{id}/erase`, the scope `cardholders:erase`, `erasure` on the cardholder, the event `user.erased`, and the error codes `user_erased` and `response_erased`.",
    "`GET /events/{id}`, and the error code `event_not_found`.",
    "`GET /events`: `created_at` starts at or before the first event created then.",
    "`GET /webhook-deliveries/missed`: what a recovery would resend.",
    "A request to a path or with a method that does not exist is answered with the operation that it resembles, in `detail`.",
    "`GET /idempotency-keys/{key}`: what became of a request whose response was lost.",
    "`ETag` on single resources, and 304 for a matching `If-None-Match`.",
    "`PATCH /card-integrators/settings`: `program_name`, `card_color`, `contact_number`, `country`, and `registration_number`.",
    '`POST /card-integrators/register-integrator`: `business_address`, `contact_number`, `domain`, and `registration_number` are optional, and `""` until they are set.',
    "`GET /deprecations`: which keys still call a deprecated operation. The error code `sunset`.",
    "`narrative` on the entries of the float's statement, and as the last column of `GET /exports/float-entries`.",
    "`GET /card-integrators/float/entries` and `GET /exports/float-entries`: the filters `kind`, `card_id`, `from`, and `to`.",
    "The client library and its command, served by every server: `GET /client` names the address.",
    "The client library: CommonJS, errors by class, `withResponse()`, pages as objects, streamed exports, one's own `fetch`, `headers`, a `log`, and `signWebhook`.",
    "`GET /events`: `wait` waits up to 20 seconds for an event, and `after=now` starts from this moment.",
    "`GET /audit-log`: the filters `from`, `to`, and `action=refused`.",
    "`GET /transactions/{id}`.",
    "`GET /cards/{id}/transactions`: the filters `type`, `status`, `from`, and `to`.",
    "`GET /events`: the filter `subject_id`.",
    "Filters take several values, separated by commas: `status`, `type`, `decline_reason`, `event`, and `state`.",
    "`from` and `to` take a day, such as `2026-01-31`, besides a time.",
    "`X-Client-Request-Id` on responses to requests with an `X-Request-Id`; `traceparent` is accepted.",
    "`traceparent` on webhooks: an attempt continues the trace of the request that caused its event, if that was traced.",
    "`GET /openapi.json`: examples, tags, descriptions, headers, and the events as `webhooks`; `ETag`, gzip, and a minute in caches.",
    "`GET /openapi.json`: a description of every member and parameter, which the types of the client library have too.",
    "`GET /api-log`: the members `api_version`, `idempotency_key`, and `replayed`; the filters `operation`, `status`, `code`, `api_version`, `from`, and `to`. A page may have fewer rows than `limit` and still have a `next_cursor`.",
    "`GET /api-log/{id}`: a request with its redacted bodies. The error code `request_not_found`.",
    "`PATCH /card-integrators/settings`: `log_bodies`.",
    "`time_zone` on the account and in `PATCH /card-integrators/settings`. Exports write times with that zone's offset; for `UTC`, the default, nothing changes.",
    "`POST /cards/{id}/mock-transaction`: the type `expire`, and `decline_with` to force a decline.",
    "`POST` and `GET /sandbox/inbox`, sandbox only: an address on this server that keeps the webhooks sent to it, with the verdict on each signature.",
    "`GET /sandbox/clock`, `POST /sandbox/clock/advance`, and `POST /sandbox/clock/reset`, sandbox only. The error codes `clock_advancing` and `clock_in_use`.",
    "`due_at` in `card.reverse-transaction`: the deadline of an authorization that expired.",
    "`as_received` on the transaction object: what the card network sent for each member of `narrative` and `merchant` that had to be cleaned.",
    "Verifications of a card: `POST /processor/authorizations` with the amount 0, the transaction type `verification`, and that type of `POST /cards/{id}/mock-transaction`. `type` in the events of card transactions.",
    "Increments: `POST /processor/authorizations/{id}/increments`, and the type `increment` of `POST /cards/{id}/mock-transaction`. `card.transaction` then repeats the authorization with its new total, and the earlier one in `previous`; a declined increment has an `authorization_id`.",
    "`merchant_amount` and `merchant_currency`, what the merchant asked for in its own currency: in `POST /processor/authorizations` and `POST /cards/{id}/mock-transaction`, on the transaction object, in its events, and as the last columns of `GET /exports/transactions`.",
    "`POST /processor/reversals`, and `authorization_reference` in `POST /processor/captures`: the card network names an authorization by its reference. The decline reason `reversed_before`: its reversal came first.",
    "A purchase or a refund that the card network reports about an unknown card is kept for the operator, and answered with the new error code `fact_unmatched`.",
    "Partial approvals: `allow_partial` in `POST /processor/authorizations` and `POST /cards/{id}/mock-transaction`; `amount` in the answer of the former; `requested_amount` in that answer, on the transaction object, in its events, and in `GET /exports/transactions`.",
    "`POST /cards/{id}/mock-transaction`: the type `posting`, a purchase without an authorization, and `force`.",
    "`posted_as`, `covered`, `cover_of`, and `refund_exceeds` on transactions and their events; `deficit` on the float. `GET /transactions`: the filters `posted_as` and `covered`.",
    "The events `float.deficit` and `float.deficit-repaid`; `cover_of` and `source` in `card.credited` and `card.debited`; the kinds `cover`, `cover_return`, and `deficit_repayment` in the float's statement.",
    "Freezes have a `level`, `cardholder`, `staff`, or `compliance`, at most one of each on a card, and an optional end, `until`: both in `PATCH /cards/{id}/freeze` and on `freeze`; `freezes` on the card lists all, and `level` of `PATCH /cards/{id}/unfreeze` lifts one. The scopes `cards:freeze` and `cards:lift`, and the error code `freeze_not_liftable`.",
    "`given_level` in `card.frozen`, and `due_at` in `card.unfrozen`; `level`, `lifted`, and `until` of a card's `state_change`; `freeze_levels` and `freeze_until`, the last columns of `GET /exports/cards`; the filter `freeze_ends_before` of cards; the audit log's action `card.freeze-lifted`.",
    "`POST /bulk`: freeze, unfreeze, close, credit, or debit up to 10,000 cards, or 100,000 by a filter, in one request. `GET /bulk`, `/bulk/{id}`, and `/bulk/{id}/results`, `POST /bulk/{id}/cancel`; the event `bulk.completed`; the error code `bulk_job_not_found`.",
  ],
  changed: [
    "`POST /api-keys`: a person cannot give a key a scope that they do not have.",
    "In `GET /openapi.json`, schemas of responses no longer forbid members that they do not list.",
    "`PATCH /cards/{id}/freeze` of a frozen card with another reason amends the freeze. `card.frozen` has `amended` and `given_reason`.",
    "A change of `low_balance_threshold` is compared with the float at once: `float.low-balance` and `float.recovered` alternate.",
    "What the card network reports is never refused: the float pays what a card cannot, and beyond that it is owed. A simulated capture above the hold is refused only if the float would have to pay.",
    "`POST /cards/{id}/close` works while authorizations are open: what they hold stays on the card, and what is released of it returns to the float. The error code `card_has_holds` is gone.",
    "While a ledger check has found a discrepancy, purchases are declined with `integrator_suspended` instead of being refused with `books_unbalanced`.",
    "`GET /audit-log`: the entry of a credit or debit by an API key has the `id` of its transaction, and no `agent`.",
    "`GET /events` lists the events of a subject in the order of their `sequence`, whichever servers recorded them.",
    "A response with `Retry-After` is not final; every other 4xx is. 408 has `Retry-After` too, and no key keeps `validation_failed`.",
    "Idempotency compares what a body means: a retry with its members in another order gets the first response.",
    "`POST /webhooks/rotate-secret`: each previous secret signs for 24 hours, not only the last one. Staff must be owners with a recent sign-in. The error code `signing_secrets_exhausted`.",
    "A new password that is common, or resembles its person's name, email, or business, is refused.",
    "A request with a session cookie names the person of its page in `Staff-Id`, and a link to an export in `staff_id`. If someone else is signed in by then, it is refused with the new error code `session_changed`.",
    'A missing member "is required" whatever its type, and an amount such as `20.00` is answered with what an amount is.',
    "The dashboard, CSV exports, and sentences with amounts use the minor units of ISO 4217 for every currency: 2,000 minor units are 20.00 HUF. `float_currencies` takes each of its currencies with a minor unit.",
    "The `title` of a problem is particular to its code: `Card not found`, `Insufficient float`. `message` is what it was.",
    "A filter that takes several values also takes them one by one: `status=active&status=frozen`.",
    "A number such as `20.5` is named in `detail`, together with everything else that is wrong with the body.",
    "A request whose `Host` is not this server's is refused with the new error code `host_unknown`, and one whose `Connection` names other headers with `request_malformed`.",
    "`POST /processor/authorizations` and `/processor/refunds` clean `narrative` and `merchant` and refuse no text; a country is stored as alpha-2. A repeat may differ in white space and Unicode normalization.",
    "`PATCH /cards/{id}/unfreeze` without `level` lifts all freezes of the card, or none: 403 `freeze_not_liftable` if a freeze of the level `compliance` stands and the caller may not lift it. Freezes by API keys have the level `cardholder` and those by staff `staff`, so `freeze` is the graver of the two. `status_version` also counts each of them.",
    "The client library: a call that its `signal` ends rejects with a `FloatdeckAbortError`, whose `cause` is the signal's reason. A list that is awaited twice is read once. A redirect is not followed, and an API key with a line break makes no client.",
  ],
};

/** Changes that came with a version. A new version without its changes does not compile. */
export const VERSION_CHANGES: Readonly<Record<ApiVersion, Changes>> = {
  "0.5.0": {
    added: [
      "`status_version` on the card object, and as an optional precondition of a freeze and an unfreeze.",
    ],
    changed: [],
  },
  "0.2.0": {
    added: ["`narrative` on the transaction object: the merchant's text.", "Webhooks."],
    changed: [],
  },
};
