import leven from "leven";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";

/** Requests that users of other APIs try, and the operations they mean. `{id}` stands for any id. */
export const MEANT: Readonly<Record<string, string>> = {
  "POST /cards": "createVirtualCard",
  "DELETE /cards/{id}": "closeCard",
  "POST /cards/{id}/credit": "creditCard",
  "POST /cards/{id}/debit": "debitCard",
  "POST /cards/{id}/transactions": "mockTransaction",
  "POST /transactions": "mockTransaction",
  "POST /simulate/authorize": "mockTransaction",
  "GET /users": "listUsers",
  "POST /users": "registerUser",
  "GET /users/{id}": "getUser",
  "GET /cardholders": "listUsers",
  "POST /cardholders": "registerUser",
  "GET /cardholders/{id}": "getUser",
  "POST /card-integrators/card-users": "registerUser",
  "DELETE /card-integrators/card-users/{id}": "archiveUser",
  "GET /me": "getAccount",
  "GET /account": "getAccount",
  "GET /card-integrators": "getAccount",
  "GET /balance": "getFloat",
  "GET /float": "getFloat",
  "POST /webhooks": "updateAccount",
  "POST /webhook_endpoints": "createWebhookEndpoint",
  "POST /card-integrators": "registerIntegrator",
};

const all: readonly Operation[] = OPERATIONS;

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** How many characters of a word may differ. */
const TYPOS_MAX = 2;

/**
 * A sentence that names the operation that a request without a route probably meant; null if it resembles none. It
 * quotes nothing from the request.
 */
export function toHint(method: string, given: readonly string[]): string | null {
  const segments = given.filter((segment) => !IN_NO_PATH.test(segment));
  const meant = findMeant(method, segments) ?? findSimilar(method, segments);
  return meant ? toGuess(meant) : null;
}

/** A segment that no path of the API has: an empty one, as from an extra slash, or a version. */
const IN_NO_PATH = /^(?:v[0-9]+)?$/u;

/** The sentence that names an operation as the one that was probably meant. */
export function toGuess({ method, path, summary }: Operation): string {
  return `Did you mean ${method} /api${path}? ${summary}.`;
}

function findMeant(method: string, segments: readonly string[]): Operation | undefined {
  const known = Object.entries(MEANT).find(([line]) => {
    const [verb, path = ""] = line.split(" ", 2);
    return verb === method && countTypos(toSegments(path), segments) === 0;
  });
  return known && all.find(({ id }) => id === known[1]);
}

/**
 * The operation whose path has the fewest wrong characters. Among several, prefers the one with this method, and then
 * one of the same kind: a read for a read, a change for a change.
 */
function findSimilar(method: string, segments: readonly string[]): Operation | undefined {
  const similar = all
    .map((operation) => ({ operation, typos: countTypos(toSegments(operation.path), segments) }))
    .filter(({ typos }) => typos <= TYPOS_MAX)
    .toSorted((a, b) => a.typos - b.typos);
  const [best] = similar;
  const closest = similar.filter(({ typos }) => typos === best?.typos);
  const isRead = READS.has(method);
  const meant =
    closest.find(({ operation }) => operation.method === method) ??
    closest.find(({ operation }) => READS.has(operation.method) === isRead) ??
    best;
  return meant?.operation;
}

function toSegments(path: string): string[] {
  return path.split("/").slice(1);
}

/** How many characters of a path are wrong; infinite if the number of segments differs. */
function countTypos(wanted: readonly string[], given: readonly string[]): number {
  if (wanted.length !== given.length) {
    return Infinity;
  }
  return wanted.reduce((sum, word, at) => sum + countTyposOf(word, given[at] ?? ""), 0);
}

function countTyposOf(wanted: string, given: string): number {
  if (wanted.startsWith("{")) {
    return isIdLike(given) ? 0 : Infinity;
  }
  const isClose = Math.abs(given.length - wanted.length) <= TYPOS_MAX;
  return isClose ? leven(wanted, given.toLowerCase()) : Infinity;
}

/** Ids have digits, and words of paths have none. */
function isIdLike(segment: string): boolean {
  return /\d|^\{.*\}$/u.test(segment);
}
