import type { z } from "zod";
import { toJsonAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, StreamedAnswer } from "#lib/api/wire/answer.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import { openRequestContext } from "#lib/api/edge/request-context.ts";
import { respond } from "#lib/api/edge/respond.ts";
import type { RequestContext } from "#lib/api/edge/request-context.ts";
import { readJson } from "#lib/api/edge/json.ts";
import type { Body as ReadBody } from "#lib/api/edge/json.ts";
import { validate } from "#lib/api/edge/validate.ts";
import { env } from "#lib/base/env.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { toPrintableName } from "#lib/base/printable.ts";
import { sandboxOnly } from "#lib/base/sandbox.ts";

/** An API route: a plain Fetch function that also names the operation it serves. */
export interface Handler {
  (request: Request, route: Route): Promise<Response>;
  operation: Operation;
}

export interface Route {
  /** Next.js passes none for a path without an id. */
  params: Promise<Record<string, string> | undefined>;
}

/**
 * The validated input of an operation. `id` comes from the path: an id in lower case, or an
 * idempotency key as it was sent. It is empty when the path has none.
 */
export interface Input<Query extends z.ZodType, Body extends z.ZodType> {
  id: string;
  query: z.output<Query>;
  body: z.output<Body>;
}

/** An answer before it is validated against the contract and serialized. */
export interface Reply<AnswerSchema extends z.ZodType> {
  body: z.input<AnswerSchema>;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Binds an operation to a route: opens the request context, runs the operation with the id in its
 * path, and writes the answer or the problem.
 */
export function bind(
  operation: Operation,
  run: (context: RequestContext, id: string) => Promise<Answer | StreamedAnswer>,
): Handler {
  const handler = async (request: Request, route: Route): Promise<Response> => {
    const context = openRequestContext(request, operation);
    return respond(context, async () => {
      if (operation.sandboxOnly && env().environment !== "sandbox") {
        throw sandboxOnly();
      }
      const { id = "", key } = (await route.params) ?? {};
      context.cardId = operation.path.startsWith("/cards/{id}") ? id : null;
      return run(context, key ?? id.toLowerCase());
    });
  };
  return Object.assign(handler, { operation });
}

/**
 * The validated query and body of the request, and the body as sent.
 * @throws DomainError `validation_failed`, or the operation's own refusal of a malformed id.
 */
export async function readInput<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  context: RequestContext,
  operation: Operation<Q, B, A>,
  id: string,
): Promise<Input<Q, B> & { sent: ReadBody }> {
  if (operation.notFound && !isId(id)) {
    throw notFound(operation.notFound);
  }
  const sent = operation.body ? await readBody(context) : NO_BODY;
  const { value } = sent;
  if (
    value &&
    typeof value === "object" &&
    "card_id" in value &&
    typeof value.card_id === "string"
  ) {
    context.cardId = value.card_id;
  }
  return {
    id,
    sent,
    query: validate(operation.query, readQuery(context.request)),
    // Without a body schema, B is never, so no one can read this.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    body: operation.body ? validate(operation.body, value) : (undefined as z.output<B>),
  };
}

const NO_BODY: ReadBody = { text: "", value: undefined };

async function readBody(context: RequestContext): Promise<ReadBody> {
  context.sent = { state: "malformed" };
  const body = await readJson(context.request);
  context.sent = body.text === "" ? { state: "none" } : { state: "read", ...body };
  return body;
}

type QueryText = Record<string, string | Record<string, string>>;

/** `metadata[order_id]`: an entry of an object, as the OpenAPI style `deepObject` writes it. */
const ENTRY = /^(?<name>[^[\]]+)\[(?<key>.*)\]$/su;

/**
 * @throws DomainError `validation_failed` for a name that appears twice or text that cannot be
 * stored.
 */
function readQuery(request: Request): QueryText {
  const query: QueryText = Object.create(null);
  for (const [given, value] of new URL(request.url).searchParams) {
    const { name = given, key } = ENTRY.exec(given)?.groups ?? {};
    // One known client capitalizes names.
    const member = name.toLowerCase();
    const isUnclear = key === undefined ? member in query : !addEntry(query, member, [key, value]);
    if (isUnclear || given.includes("\0") || value.includes("\0")) {
      const printable = toPrintableName(given.toLowerCase());
      throw new DomainError(
        "validation_failed",
        `The query parameter ${printable} cannot be read.`,
        { [printable]: ["This field must appear once and must not contain U+0000."] },
      );
    }
    if (key === undefined) {
      query[member] = value;
    }
  }
  return query;
}

/** @returns whether the entry is the first with its key, in an object. */
function addEntry(query: QueryText, member: string, [key, value]: [string, string]): boolean {
  const entries = query[member] ?? Object.create(null);
  if (typeof entries === "string" || key in entries) {
    return false;
  }
  entries[key] = value;
  query[member] = entries;
  return true;
}

/** The answer of an operation, validated against its contract. */
export function toAnswer<A extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, A>,
  reply: Reply<A>,
): Answer {
  return toJsonAnswer(operation.status, operation.answer.parse(reply.body), reply.headers);
}
