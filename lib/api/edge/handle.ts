import type { z } from "zod";
import type { Member } from "#lib/base/actor.ts";
import { admit, selectVersion } from "#lib/api/edge/internal/admit.ts";
import { bind } from "#lib/api/edge/bind.ts";
import type { Handler } from "#lib/api/edge/bind.ts";
import { performWrite, readChange } from "#lib/api/edge/internal/change.ts";
import { readInput } from "#lib/api/edge/read-input.ts";
import type { Input } from "#lib/api/edge/read-input.ts";
import type { IdempotencyKey } from "#lib/api/replay/idempotency-keys.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, StreamedAnswer, Reply } from "#lib/api/wire/answer.ts";
import { withEntityTag } from "#lib/api/wire/entity-tag.ts";
import { toCsvAnswer } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import type { Operation } from "#lib/operations/operation.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import { perform } from "#lib/api/replay/perform.ts";
import type { Act } from "#lib/api/replay/perform.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import type { Caller, ReadContext, RequestOrigin, WriteContext } from "#lib/base/context.ts";
import { database } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { readFor, readOnceFor, readTogetherFor } from "#db/reads.ts";

/** Binds an operation that only reads, with any number of statements, in one snapshot. */
export function handleRead<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (ctx: ReadContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return bindRead(operation, (actor, input) =>
    readFor(actor.integratorId, (db) => work({ db, actor }, input)),
  );
}

/** Binds an operation that reads with a single statement, which costs a third of the round trips. */
export function handleReadOnce<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (ctx: ReadContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return handleReads(operation, (read, input) => read((ctx) => work(ctx, input)));
}

/**
 * Binds an operation that reads with several statements, each in a snapshot of its own. Where the client filters, a read may
 * look at many rows, so it has a connection of its own; every other one looks up an id or a page, which is quick.
 */
export function handleReads<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (read: Read, input: Input<Q, B>, caller: ReadCaller) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return bindRead(operation, (actor, input, context) => {
    const readWith = isFiltered(context.url) ? readOnceFor : readTogetherFor;
    const read: Read = (one) => readWith(actor.integratorId, (db) => one({ db, actor }));
    const onWaited = (ms: number) => {
      context.waitedMs += ms;
    };
    return work(read, input, { actor, request: context.request, onWaited });
  });
}

/** Query parameters that choose a page, or wait for one, without filtering. */
const PAGE_PARAMETERS = new Set(["limit", "cursor", "after", "wait"]);

function isFiltered({ searchParams }: URL): boolean {
  return searchParams.keys().some((name) => !PAGE_PARAMETERS.has(name));
}

/** Who reads, and the request itself, whose signal aborts when its client is gone. */
interface ReadCaller {
  actor: Member;
  request: Request;
  /** Leaves this time, in milliseconds, out of the durations in Health: the caller asked to wait. */
  onWaited: (ms: number) => void;
}

/** Reads with one statement on behalf of the caller. */
type Read = <T>(read: (ctx: ReadContext) => Promise<T>) => Promise<T>;

function bindRead<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (actor: Member, input: Input<Q, B>, context: RequestContext) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (context, id) => {
    const actor = await admit(context, operation);
    const input = await readInput(context, operation, id);
    return toReadAnswer(operation, context, await work(actor, input, context));
  });
}

function toReadAnswer<A extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, A>,
  { request }: RequestContext,
  reply: Reply<A>,
): Answer {
  const answer = toAnswer(operation, reply);
  return operation.tagged ? withEntityTag(answer, request.headers.get("if-none-match")) : answer;
}

/**
 * Binds an export: a CSV file of any size, read page by page as fast as the client takes it. The
 * first page is read before the response starts.
 */
export function handleExport<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  name: string,
  toTable: (input: Input<Q, B>) => CsvTable,
): Handler {
  return bind(operation, async (context, id) => {
    const actor = await admit(context, operation);
    const input = await readInput(context, operation, id);
    const table = toTable(input);
    const { timeZone } = await readFor(actor.integratorId, (db) => getAccount({ db, actor }));
    return toCsvAnswer(name, {
      timeZone,
      columns: table.columns,
      readPage: (cursor) =>
        readFor(actor.integratorId, (db) => table.readPage({ db, actor }, cursor)),
    });
  });
}

/**
 * Binds a write operation. The change and its saved answer commit in one transaction.
 * @param onSettled runs once the transaction has ended, with any outcome, before the answer is
 * sent.
 */
export function handleWrite<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (ctx: WriteContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>>,
  onSettled?: (actor: Member) => void,
): Handler {
  return bind(operation, async (context, id) => {
    const { actor, key, input } = await readChange(context, operation, id);
    return performWrite({ operation, context, actor, key }, (ctx) => work(ctx, input)).finally(() =>
      onSettled?.(actor),
    );
  });
}

/**
 * Binds a write operation that first runs a step that must not hold a connection, such as hashing a
 * password. The work receives the result of that step.
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
  ) => Prepared | Promise<Prepared>,
  work: (ctx: WriteContext, input: Input<Q, B>, prepared: Prepared) => Promise<Reply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (context, id) => {
    const { actor, key, input } = await readChange(context, operation, id);
    const place = { db: database(), actor, request: context.origin };
    const prepared = await prepare(place, input);
    return performWrite({ operation, context, actor, key }, (ctx) => work(ctx, input, prepared));
  });
}

/**
 * Binds an operation whose requests can share a commit: what to perform, and how to present the
 * result.
 */
export function handleBatched<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Requested extends Caller,
  Done,
>(
  operation: Operation<Q, B, A>,
  act: Act<IdempotencyKey, Requested, Done>,
  { toRequest, toReply }: BatchedBinding<Q, B, A, Requested, Done>,
): Handler {
  return bind(operation, async (context, id) => {
    const { actor, key, input } = await readChange(context, operation, id);
    const request = context.origin;
    const caller = { actor, request, idempotencyKey: key?.name ?? null };
    return perform(
      database(),
      {
        key,
        group: actor.integratorId,
        request,
        instance: context.path,
        // The binding supplies the caller, so only the caller is missing.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        input: { ...toRequest(input), ...caller } as unknown as Requested,
        toOutcome: (done) => ({ answer: toAnswer(operation, toReply(done)) }),
      },
      act,
    );
  });
}

/** Binds a public operation; any credential sent with it is ignored. */
export function handlePublic<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (
    context: RequestContext,
    input: Input<Q, B>,
  ) => Promise<Answer | StreamedAnswer | Reply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (context, id) => {
    selectVersion(context, operation, null);
    const made = await work(context, await readInput(context, operation, id));
    return "contentType" in made ? made : toAnswer(operation, made);
  });
}

interface BatchedBinding<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Requested,
  Done,
> {
  toRequest: (input: Input<Q, B>) => Omit<NoInfer<Requested>, keyof Caller>;
  toReply: (done: Done) => Reply<NoInfer<A>>;
}
