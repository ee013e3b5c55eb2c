import { z } from "zod";
import type { Operation } from "#lib/operations/operation.ts";
import { problemSchema } from "#lib/api/contract/problem.ts";
import { redact } from "#lib/api/edge/internal/redact.ts";
import type { RedactedBody } from "#lib/api/edge/internal/redact.ts";
import { isId } from "#lib/base/ids.ts";
import { toLayers } from "#lib/base/log-safe.ts";
import { REDACTED } from "#lib/record/request-classes.ts";

/** Codes whose `detail` quotes a header or a member that the contract does not know. */
const QUOTING: ReadonlySet<unknown> = new Set(["request_malformed", "version_unknown"]);

/** How the detail begins when the contract itself refused the request. Details of other rules may quote the request. */
const BY_CONTRACT = /^The request is not valid for this operation/u;

/**
 * Keeps the explanation of a problem. `errors` and `detail` are our own sentences, but they can name members. A name
 * that the contract does not know was chosen by the caller, and is removed.
 */
export function redactProblem(operation: Operation | null, problem: unknown): RedactedBody {
  const { errors, ...rest } = isRecord(problem) ? problem : {};
  const kept = redact(problemSchema, rest);
  const isOurs = isOwnSentence(rest);
  const named = Object.entries(isRecord(errors) ? errors : {});
  const ours = named.filter(([name]) => isMember(operation, name));
  const unknownMembers = named.length - ours.length;
  const detail = isOurs && unknownMembers === 0 ? rest["detail"] : REDACTED;
  const instance = isOwnPath(operation, rest["instance"]) ? rest["instance"] : REDACTED;
  const sentences = ours.map(([name, said]) => [name, isOurs ? said : REDACTED] as const);
  return {
    ...kept,
    body: {
      ...(isRecord(kept.body) ? kept.body : {}),
      detail,
      instance,
      ...(errors === undefined ? {} : { errors: Object.fromEntries(sentences) }),
    },
    isRedacted: detail === REDACTED || instance === REDACTED,
    unknownMembers,
  };
}

/** A refusal's detail without the names that the caller chose, which may be a person's. */
export function toKeptDetail(
  operation: Operation | null,
  { code, detail, errors }: { code: unknown; detail: string; errors?: unknown },
): string {
  if (QUOTING.has(code)) {
    return detail.replace(/"(?<name>.*)"/su, (quoted, name: string) =>
      isMember(operation, name) ? quoted : REDACTED,
    );
  }
  const names = Object.keys(isRecord(errors) ? errors : {});
  const known = names.filter((name) => isMember(operation, name));
  const unknown = names.length - known.length;
  if (code !== "validation_failed" || unknown === 0) {
    return detail;
  }
  const seen = [...known, `${unknown} unknown member${unknown === 1 ? "" : "s"}`].join(", ");
  return BY_CONTRACT.test(detail)
    ? `The request is not valid for this operation: see ${seen}.`
    : REDACTED;
}

/**
 * The path, with the operation's placeholder in place of each segment that cannot be an id and so may be a person's
 * name.
 */
export function toKeptPath(operation: Operation | null, path: string): string {
  if (!operation || isOwnPath(operation, path)) {
    return path;
  }
  const given = path.split("/");
  return `/api${operation.path}`
    .split("/")
    .map((segment, index) =>
      segment === "{id}" && isId(given[index] ?? "") ? given[index] : segment,
    )
    .join("/");
}

/** Whether the sentences of a problem quote nothing that the caller sent. */
function isOwnSentence({ code, detail }: Record<string, unknown>): boolean {
  return code === "validation_failed" ? BY_CONTRACT.test(String(detail)) : !QUOTING.has(code);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a name such as `merchant.name` is a member of the body or the query. */
function isMember(operation: Operation | null, name: string): boolean {
  const schemas = operation ? [operation.query, operation.body ?? operation.query] : [];
  return schemas.some((schema) => hasMember(schema, name.split(".")));
}

function hasMember(schema: z.core.$ZodType, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) {
    return true;
  }
  const object = toLayers(schema).find((layer) => layer instanceof z.ZodObject);
  const member = object && Object.hasOwn(object.shape, name) ? object.shape[name] : undefined;
  return member !== undefined && hasMember(member, rest);
}

/** Whether a path is the operation's own, with only ids in the variable segments. */
function isOwnPath(operation: Operation | null, path: unknown): boolean {
  if (!operation || typeof path !== "string") {
    return false;
  }
  const ownPath = `/api${operation.path}`;
  if (path === ownPath) {
    return true;
  }
  const own = ownPath.split("/");
  const given = path.split("/");
  return (
    own.length === given.length &&
    own.every((segment, index) =>
      segment === "{id}" ? isId(given[index] ?? "") : segment === given[index],
    )
  );
}
