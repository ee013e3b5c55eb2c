import type { z } from "zod";
import type { Member } from "#lib/actor.ts";
import type { Answer } from "#lib/api/answer.ts";
import { admit, selectVersion, toCall } from "#lib/api/admit.ts";
import { bind, readInput, toAnswer } from "#lib/api/bind.ts";
import type { Handler, Input, Reply } from "#lib/api/bind.ts";
import { toCsvAnswer } from "#lib/api/csv.ts";
import type { CsvTable } from "#lib/api/csv.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import type { Exchange } from "#lib/api/exchange.ts";
import { performFunds } from "#lib/api/funds-perform.ts";
import type { FundsAsked, FundsMoved } from "#lib/api/funds-perform.ts";
import { performWrite } from "#lib/api/perform.ts";
import { performStatus } from "#lib/api/status-perform.ts";
import type { StatusAsked } from "#lib/api/status-perform.ts";
import type { Card } from "#lib/card-resource.ts";
import type { ReadContext, RequestOrigin, WriteContext } from "#lib/context.ts";
import { database } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { readFor } from "#db/reads.ts";

/** Binds an operation that only reads. */
export function handleRead<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (ctx: ReadContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    const reply = await readFor(actor.integratorId, (db) => work({ db, actor }, input));
    return toAnswer(operation, reply);
  });
}

/**
 * Binds an export: a CSV file of any size, read page by page as fast as it is taken, the first page before anything is
 * answered.
 */
export function handleExport<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  name: string,
  toTable: (input: Input<Q, B>) => CsvTable,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    const table = toTable(input);
    return toCsvAnswer(name, {
      columns: table.columns,
      readPage: (cursor) =>
        readFor(actor.integratorId, (db) => table.readPage({ db, actor }, cursor)),
    });
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
    // Before the step: a bad idempotency key must not cost an attempt at a password.
    const call = toCall(exchange, { operation, actor, text: input.text });
    const prepared = await prepare({ db, actor, request: exchange.origin }, input);
    return performWrite(db, call, async (ctx) =>
      toAnswer(operation, await work(ctx, input, prepared)),
    );
  });
}

/** Binds an operation that moves funds: what to move, and how the result is shown. */
export function handleFunds<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  toFunds: (input: Input<Q, B>) => FundsAsked,
  toReply: (moved: FundsMoved) => Reply<NoInfer<A>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return performFunds(database(), {
      ...toCall(exchange, { operation, actor, text: input.text }),
      asked: toFunds(input),
      toAnswer: (moved) => toAnswer(operation, toReply(moved)),
    });
  });
}

/** Binds an operation that changes the status of the card in its path: to which, and how the card is shown. */
export function handleStatus<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  toAsked: (input: Input<Q, B>) => StatusAsked,
  toReply: (card: Card) => Reply<NoInfer<A>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const actor = await admit(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return performStatus(database(), {
      ...toCall(exchange, { operation, actor, text: input.text }),
      asked: toAsked(input),
      toAnswer: ({ card }) => toAnswer(operation, toReply(card)),
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
