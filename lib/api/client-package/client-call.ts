import type { Operation } from "#lib/operations/operation.ts";
import { isForClients, toClientName } from "#lib/api/client-package/internal/operation-names.ts";

/**
 * A call of an operation with the client library, in TypeScript, with this body.
 * @returns null for an operation that the client does not have.
 */
export function toClientCall(operation: Operation, body: unknown): string | null {
  if (!isForClients(operation)) {
    return null;
  }
  const given = [
    ...(operation.path.includes("{") ? [toIdName(operation)] : []),
    ...(body === undefined ? [] : [toLiteral(body)]),
  ];
  return `await client.${toClientName(operation)}(${given.join(", ")});`;
}

/** `cardId` for a card's id. */
function toIdName({ path, notFound }: Operation): string {
  return path.includes("{key}") ? "key" : `${(notFound ?? "").replace("_not_found", "")}Id`;
}

/** JSON with quotes only around the member names that need them. */
function toLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /^(?<indent> *)"(?<name>\w+)":/gmu,
    "$<indent>$<name>:",
  );
}
