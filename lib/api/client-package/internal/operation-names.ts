import type { Operation } from "#lib/operations/operation.ts";
import { csv } from "#lib/operations/exports/parts.ts";
import { takesIdempotencyKey } from "#lib/operations/refusals.ts";
import { isGrantable } from "#lib/base/actor.ts";

/**
 * The nouns of operation ids, and the client's names for them. The first one that an id contains is its noun:
 * `listCardTransactions` is `cards.listTransactions`.
 */
const NOUNS = {
  WebhookDeliveries: "webhookDeliveries",
  WebhookDelivery: "webhookDeliveries",
  WebhookEndpoints: "webhookEndpoints",
  WebhookEndpoint: "webhookEndpoints",
  Webhooks: "webhooks",
  Webhook: "webhooks",
  Inbox: "inbox",
  BulkJobs: "bulk",
  BulkJob: "bulk",
  Bulk: "bulk",
  IdempotencyKey: "idempotencyKeys",
  Integrator: "integrators",
  Account: "account",
  Settings: "settings",
  Cards: "cards",
  Card: "cards",
  Users: "users",
  User: "users",
  Float: "float",
  Clock: "clock",
  Transactions: "transactions",
  Transaction: "transactions",
  Note: "notes",
  Events: "events",
  Event: "events",
} as const;

const NOUN = new RegExp(Object.keys(NOUNS).join("|"), "u");

/** Operations about the server, and those that people perform with a link that they received. */
const NOT_FOR_PROGRAMS = /^\/(?:health\/|openapi\.json$|staff\/)/u;

/** Whether an integrator's program with an API key can call it. */
export function isForClients({ staffOnly, scope, kind, path }: Operation): boolean {
  const isForKeys = scope === null || isGrantable(scope);
  return !staffOnly && kind !== "processor" && isForKeys && !NOT_FOR_PROGRAMS.test(path);
}

/** The client's name of an operation: `cards.freeze`. */
export function toClientName({ id, path }: Operation): `${string}.${string}` {
  const [given] = NOUN.exec(id) ?? [];
  const [verb = id] = /^[a-z]+/u.exec(id) ?? [];
  const noun = Object.entries(NOUNS).find(([word]) => word === given)?.[1];
  return noun ? `${noun}.${id.replace(given ?? "", "")}` : `${toNoun(path)}.${verb}`;
}

/** The noun of an operation whose id has no known one: the first part of its path. */
function toNoun(path: string): string {
  const [, first = ""] = path.split("/");
  return first.replaceAll(/-(?<letter>[a-z])/gu, (...[, letter]: string[]) =>
    String(letter).toUpperCase(),
  );
}

/** What the client needs to know to perform an operation, with the names of its query parameters: its line in the contract. */
export function toClientLine(operation: Operation, query: readonly string[]): string {
  const [, verb] = toClientName(operation).split(".");
  const trait = toTrait(operation, query);
  const rest = operation.method === "GET" ? [trait] : [trait ?? "-", operation.method];
  return [verb, toClientPath(operation), ...rest].join(" ").trimEnd();
}

/** A path with a colon for its id or key. */
export function toClientPath({ path }: Operation): string {
  return path.replace(/\{\w+\}/u, ":");
}

function toTrait(operation: Operation, query: readonly string[]): string | undefined {
  if (operation.answer === csv) {
    return "file";
  }
  if (operation.body) {
    return takesIdempotencyKey(operation) ? "+" : "!";
  }
  return findPaging(query) ?? (query.length > 0 ? "+" : undefined);
}

/** The query parameter by which a list goes on; undefined where there is no list. */
export function findPaging(query: readonly string[]): string | undefined {
  return ["after", "cursor"].find((name) => query.includes(name));
}
