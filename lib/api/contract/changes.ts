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
    "`GET /idempotency-keys/{key}`: what became of a request whose response was lost.",
    "`ETag` on single resources, and 304 for a matching `If-None-Match`.",
    "`PATCH /card-integrators/settings`: `program_name`, `card_color`, `contact_number`, `country`, and `registration_number`.",
    '`POST /card-integrators/register-integrator`: `business_address`, `contact_number`, `domain`, and `registration_number` are optional, and `""` until they are set.',
    "`GET /deprecations`: which keys still call a deprecated operation. The error code `sunset`.",
    "`GET /audit-log`: the filters `from`, `to`, and `action=refused`.",
  ],
  changed: [],
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
