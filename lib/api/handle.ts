import type { Member, Processor } from "#lib/actor.ts";
import type { z } from "zod";
import { toJsonAnswer } from "#lib/api/answer.ts";
import type { Answer, StreamedAnswer } from "#lib/api/answer.ts";
import { toCsvAnswer } from "#lib/api/csv.ts";
import type { CsvTable } from "#lib/api/csv.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import { admit, admitProcessor, selectVersion, toCall } from "#lib/api/admit.ts";
import { conclude, openExchange } from "#lib/api/exchange.ts";
import type { Exchange } from "#lib/api/exchange.ts";
import { toFingerprint } from "#lib/api/idempotency.ts";
import { readJson } from "#lib/api/json.ts";
import { performFunds, performWrite } from "#lib/api/perform.ts";
import { validate } from "#lib/api/validate.ts";
import type { ReadContext, RequestOrigin, WriteContext } from "#lib/context.ts";
import { performAuthorization } from "#lib/api/authorization-perform.ts";
import { performReferenced } from "#lib/api/processor-perform.ts";
import type { ProcessorCall } from "#lib/api/processor-perform.ts";
import { env } from "#lib/env.ts";
import { DomainError, notFound } from "#lib/errors.ts";
import type { FundsRequest, FundsResult } from "#lib/funds.ts";
import type { Concerned, ProcessorContext } from "#lib/processor/context.ts";
import type { Asked, Decision } from "#lib/processor/operations.ts";
import { isId } from "#lib/ids.ts";
import { database } from "#db/client.ts";
import type { Db } from "#db/client.ts";
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

/**
 * Binds an export: a CSV file of any size, read page by page as fast as it is taken, the first page before anything is
 * answered.
 */
export function handleExport<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  name: string,
  toTable: (ctx: ReadContext, input: Input<Q, B>) => CsvTable,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return toCsvAnswer(name, toTable({ db: database(), actor }, input));
  });
}

/**
 * Binds an operation that changes something, in one transaction with the storing of its answer.
 * @param settled runs once the transaction has ended, however it did, before the answer goes out.
 */
export function handleWrite<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (ctx: WriteContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>>,
  settled?: (actor: Member) => void,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return performWrite(
      database(),
      toCall(exchange, { operation, actor, text: input.text }),
      async (ctx) => toAnswer(operation, await work(ctx, input)),
    ).finally(() => settled?.(actor));
  });
}

/**
 * Binds an operation that changes something after a step that must hold no connection, such as hashing a password. What
 * the step answers is given to the work.
 */
export function handlePrepared<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Prepared,
>(
  operation: Operation<Q, B, A>,
  prepare: (
    place: { db: Db; actor: Member; request: RequestOrigin },
    input: Input<Q, B>,
  ) => Promise<Prepared>,
  work: (ctx: WriteContext, input: Input<Q, B>, prepared: Prepared) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    const db = database();
    const prepared = await prepare({ db, actor, request: exchange.origin }, input);
    return performWrite(db, toCall(exchange, { operation, actor, text: input.text }), async (ctx) =>
      toAnswer(operation, await work(ctx, input, prepared)),
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
      ...toCall(exchange, { operation, actor, text: input.text }),
      funds: toFunds(input),
      toAnswer: (moved) => toAnswer(operation, toReply(moved)),
    });
  });
}

/** What an operation of the card processor answers, and whom it concerned. */
interface ProcessorReply<AnswerSchema extends z.ZodType> extends Reply<AnswerSchema> {
  concerned: Concerned;
}

/** Binds an operation of the card processor, performed once for its reference. */
export function handleProcessor<
  Q extends z.ZodType,
  B extends z.ZodType<{ reference: string }>,
  A extends z.ZodType,
>(
  operation: Operation<Q, B, A>,
  work: (ctx: ProcessorContext, input: Input<Q, B>) => Promise<ProcessorReply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const processor = await admitProcessor(exchange, operation);
    const input = await readInput(exchange, operation, id);
    const call = toProcessorCall(exchange, operation, { ...processor, ...input });
    return performReferenced(database(), call, async (ctx) => {
      const { concerned, ...reply } = await work(ctx, input);
      return { concerned, answer: toAnswer(operation, reply) };
    });
  });
}

/** Binds the operation that asks for an authorisation: what is asked, and how the decision is shown. */
export function handleAuthorization<
  Q extends z.ZodType,
  B extends z.ZodType<{ reference: string }>,
  A extends z.ZodType,
>(
  operation: Operation<Q, B, A>,
  toAsked: (input: Input<Q, B>) => Asked,
  toReply: (decision: Decision) => Reply<NoInfer<A>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const processor = await admitProcessor(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return performAuthorization(database(), {
      ...toProcessorCall(exchange, operation, { ...processor, ...input }),
      asked: toAsked(input),
      toAnswer: (decision) => toAnswer(operation, toReply(decision)),
    });
  });
}

function toProcessorCall(
  exchange: Exchange,
  operation: Operation,
  given: { actor: Processor; apiKeyId: string; body: { reference: string }; text: string },
): ProcessorCall {
  const { actor, apiKeyId, body, text } = given;
  return {
    actor,
    apiKeyId,
    request: exchange.origin,
    operation: operation.id,
    instance: exchange.path,
    reference: body.reference,
    fingerprint: toFingerprint(exchange.request.method, exchange.path, text),
  };
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
  run: (exchange: Exchange, id: string) => Promise<Answer | StreamedAnswer>,
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

function toAnswer<A extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, A>,
  reply: Reply<A>,
): Answer {
  return toJsonAnswer(operation.status, operation.answer.parse(reply.body), reply.headers);
}
