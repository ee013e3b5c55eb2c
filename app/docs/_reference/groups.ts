import type { Operation } from "#lib/api/contract/operation.ts";

/** The nouns of the API by where their paths begin. The first that fits names the group. */
const GROUPS: readonly (readonly [start: RegExp, name: string])[] = [
  [/^\/cards\/(?:credit|debit|top-up)|^\/card-integrators\/(?:float|top-up-float)/u, "Funds"],
  [
    /^\/cards\/\{id\}\/(?:transactions|mock-transaction)|^\/cards\/transaction|^\/transactions/u,
    "Transactions",
  ],
  [/^\/cards/u, "Cards"],
  [/^\/card-integrators\/(?:card-users|\{id\}\/register-user)/u, "Cardholders"],
  [/^\/card-integrators/u, "Account"],
  [/^\/(?:events|webhook)/u, "Events and webhooks"],
  [/^\/processor/u, "Card network"],
  [/^\/exports/u, "Exports"],
  [/^\/(?:api-keys|audit-log|api-log|deprecations)/u, "Keys and logs"],
  [/^\/idempotency-keys/u, "Idempotency keys"],
  [/^\/staff/u, "Staff"],
];

/** The noun that an operation concerns. */
export function toGroup({ path }: Operation): string {
  return GROUPS.find(([start]) => start.test(path))?.[1] ?? "Server";
}
