import type { z } from "zod";
import type { Member } from "#lib/actor.ts";
import { authorize } from "#lib/actor.ts";
import { toJsonAnswer } from "#lib/api/answer.ts";
import type { Answer } from "#lib/api/answer.ts";
import { noteDeprecatedUse, noteKeyUse } from "#lib/api/api-log.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import { conclude, isAtLeast, openExchange } from "#lib/api/exchange.ts";
import type { Exchange } from "#lib/api/exchange.ts";
import { readIdempotencyKey, toFingerprint } from "#lib/api/idempotency.ts";
import { readJson } from "#lib/api/json.ts";
import { performFunds, performWrite } from "#lib/api/perform.ts";
import type { Call } from "#lib/api/perform.ts";
import { countRequest } from "#lib/api/limits.ts";
import { validate } from "#lib/api/validate.ts";
import { API_VERSIONS } from "#lib/api-versions.ts";
import { authenticate } from "#lib/auth/authenticate.ts";
import type { ReadContext, WriteContext } from "#lib/context.ts";
import { env } from "#lib/env.ts";
import { DomainError, notFound } from "#lib/errors.ts";
import type { FundsRequest, FundsResult } from "#lib/funds.ts";
import { isId } from "#lib/ids.ts";
import { database } from "#db/client.ts";
import { inTime } from "#db/transaction.ts";

/** A route of the API: a plain Fetch function that also tells which operation it serves. */
export interface Handler {
  (request: Request, route: Route): Promise<Response>;
  operation: Operation;
}

export interface Route {
  /** Next.js has none for a path without an id. */
  params: Promise<Record<string, string> | undefined>;
}

/** What an operation is given, checked. `id` is the one in the path, lower case; empty where the path has none. */
export interface Input<Query extends z.ZodType, Body extends z.ZodType> {
  id: string;
  query: z.output<Query>;
  body: z.output<Body>;
}

/** An answer before it is checked against the contract and written. */
export interface Reply<AnswerSchema extends z.ZodType> {
  body: z.input<AnswerSchema>;
  headers?: Readonly<Record<string, string>>;
}

/** Binds an operation that only reads. */
export function handleRead<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (ctx: ReadContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return toAnswer(operation, await inTime(() => work({ db: database(), actor }, input)));
  });
}

/** Binds an operation that changes something, in one transaction with the storing of its answer. */
export function handleWrite<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (ctx: WriteContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return performWrite(database(), toCall(exchange, actor, input.text), async (ctx) =>
      toAnswer(operation, await work(ctx, input)),
    );
  });
}

/** Binds an operation that moves funds: what to move, and how the result is shown. */
export function handleFunds<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  toFunds: (input: Input<Q, B>) => Pick<FundsRequest, "kind" | "amount" | "cardId" | "narrative">,
  toReply: (moved: Extract<FundsResult, { posted: true }>) => Reply<NoInfer<A>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return performFunds(database(), {
      ...toCall(exchange, actor, input.text),
      funds: toFunds(input),
      toAnswer: (moved) => toAnswer(operation, toReply(moved)),
    });
  });
}

/** Binds an operation for everybody; whatever credential comes along is ignored. */
export function handlePublic<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (exchange: Exchange, input: Input<Q, B>) => Promise<Answer | Reply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    selectVersion(exchange, operation, null);
    const made = await work(exchange, await readInput(exchange, operation, id));
    return "contentType" in made ? made : toAnswer(operation, made);
  });
}

function bind(
  operation: Operation,
  run: (exchange: Exchange, id: string) => Promise<Answer>,
): Handler {
  const handler = async (request: Request, route: Route): Promise<Response> => {
    const exchange = openExchange(request, operation);
    return conclude(exchange, async () => {
      if (operation.sandboxOnly && env().environment !== "sandbox") {
        throw new DomainError("sandbox_only", "This operation exists in sandbox only.");
      }
      const { id = "" } = (await route.params) ?? {};
      exchange.cardId = operation.path.startsWith("/cards/{id}") ? id : null;
      return run(exchange, id.toLowerCase());
    });
  };
  return Object.assign(handler, { operation });
}

async function admit(exchange: Exchange, operation: Operation): Promise<Member> {
  const { environment } = env();
  const from = { environment, address: exchange.origin.address };
  const credential = await inTime(() => authenticate(database(), exchange.request, from));
  exchange.credential = credential;
  noteKeyUse(credential.apiKeyId);
  selectVersion(exchange, operation, credential.pinnedVersion);
  if (operation.scope) {
    authorize(credential.actor, operation.scope);
  }
  const { actor } = credential;
  if (actor.kind !== "member") {
    throw new DomainError("scope_missing", "This key belongs to the card processor.");
  }
  const { headers, refusal } = countRequest(actor.integratorId);
  exchange.headers = { ...exchange.headers, ...headers };
  if (refusal) {
    throw refusal;
  }
  if (operation.deprecation && isAtLeast(exchange.version, operation.deprecation.since)) {
    noteDeprecatedUse({
      integratorId: actor.integratorId,
      apiKeyId: credential.apiKeyId,
      operation: operation.id,
    });
  }
  return actor;
}

function selectVersion(
  exchange: Exchange,
  operation: Operation,
  pinned: Exchange["version"] | null,
): void {
  const asked = exchange.request.headers.get("api-version");
  const version = asked === null ? pinned : API_VERSIONS.find((known) => known === asked);
  if (version === undefined) {
    throw new DomainError(
      "version_unknown",
      `Api-Version must be one of ${API_VERSIONS.join(", ")}; ${JSON.stringify(asked)} is not.`,
    );
  }
  exchange.version = version ?? exchange.version;
  if (operation.since && !isAtLeast(exchange.version, operation.since)) {
    throw new DomainError(
      "not_in_version",
      `This operation came with version ${operation.since}; the request is in ${exchange.version}.`,
    );
  }
}

async function readInput<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  exchange: Exchange,
  operation: Operation<Q, B, A>,
  id: string,
): Promise<Input<Q, B> & { text: string }> {
  if (operation.notFound && !isId(id)) {
    throw notFound(operation.notFound);
  }
  const { text, value } = operation.body
    ? await readJson(exchange.request)
    : { text: "", value: undefined };
  if (value && typeof value === "object" && "card_id" in value) {
    exchange.cardId = String(value.card_id);
  }
  return {
    id,
    text,
    query: validate(operation.query, readQuery(exchange.request)),
    // Without a body schema B is never, and nobody can read this.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    body: operation.body ? validate(operation.body, value) : (undefined as z.output<B>),
  };
}

/** @throws DomainError `validation_failed` for a name that appears twice or text that cannot be kept. */
function readQuery(request: Request): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [given, value] of new URL(request.url).searchParams) {
    // One client capitalises them.
    const name = given.toLowerCase();
    if (name in query || value.includes("\0")) {
      throw new DomainError("validation_failed", `The query parameter ${name} cannot be read.`, {
        [name]: ["This field must appear once, and hold no U+0000."],
      });
    }
    query[name] = value;
  }
  return query;
}

function toCall(exchange: Exchange, actor: Member, text: string): Call {
  const key = readIdempotencyKey(exchange.request);
  if (key === undefined && exchange.credential?.idempotencyRequired) {
    throw new DomainError(
      "idempotency_key_required",
      "This account requires an Idempotency-Key header on every change.",
    );
  }
  return {
    actor,
    request: exchange.origin,
    instance: exchange.path,
    keyed:
      key === undefined
        ? null
        : { key, fingerprint: toFingerprint(exchange.request.method, exchange.path, text) },
  };
}

function toAnswer<A extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, A>,
  reply: Reply<A>,
): Answer {
  return toJsonAnswer(operation.status, operation.answer.parse(reply.body), reply.headers);
}
