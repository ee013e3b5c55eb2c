import type { z } from "zod";
import type { Member } from "#lib/base/actor.ts";
import { admit, selectVersion } from "#lib/api/edge/internal/admit.ts";
import { HeldUp } from "#lib/approvals/held-up.ts";
import { inTurn } from "#lib/api/edge/long-bodies.ts";
import { read, sendTable } from "#lib/api/edge/internal/read.ts";
import type { Call, ExportWork, ReadWork } from "#lib/api/edge/internal/read.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import { readInput, toIdempotencyKey } from "#lib/api/edge/read-input.ts";
import type { Input } from "#lib/api/edge/read-input.ts";
import { toHandler } from "#lib/api/edge/respond.ts";
import type { Handler } from "#lib/api/edge/respond.ts";
import { askForApproval } from "#lib/api/edge/internal/ask-for-approval.ts";
import { alone } from "#lib/api/commit/alone.ts";
import { idempotencyKeys } from "#lib/api/commit/idempotency-keys.ts";
import type { IdempotencyKey } from "#lib/api/commit/idempotency-keys.ts";
import { perform } from "#lib/api/commit/perform.ts";
import type { Procedure } from "#lib/api/commit/perform.ts";
import { isKept, toAnswer, toProblemAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, Reply, StreamedAnswer } from "#lib/api/wire/answer.ts";
import { readIfMatch, requireMatch, withEntityTag } from "#lib/api/wire/entity-tag.ts";
import type { Operation } from "#lib/operations/operation.ts";
import type { Caller, RequestOrigin, UpdateContext, WriteContext } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import type { DomainError } from "#lib/base/errors.ts";
import { REFUSED_FROM } from "#lib/record/request-classes.ts";
import { database } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { awaitEarlierWriters } from "#db/earlier-writers.ts";
import { DatabaseFailure, databaseCode } from "#db/failures.ts";

/**
 * Serves an operation to the callers it admits, with exactly one kind of work:
 * - `read`, `snapshot`, or `reads`: a read with one statement, with several in one snapshot, or with several that
 * each have their own snapshot;
 * - `toTable`: a CSV file;
 * - `decide`: a change that can share its commit;
 * - `change`: a change in a transaction of its own;
 * - `update`: like `change`, for one resource that can also be read, so it takes `If-Match`. A change and its saved
 * answer commit in one transaction.
 */
export function serve<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Request extends Caller,
  Done,
  Prepared = undefined,
>(
  operation: Operation<Q, B, A>,
  work:
    | ReadWork<Q, B, A>
    | ExportWork<Q, B>
    | DecideWork<Q, B, A, Request, Done>
    | ChangeWork<Q, B, A, Prepared>
    | UpdateWork<Q, B, A, Prepared, Done>,
): Handler {
  return toHandler(operation, async (context, id) => {
    const actor = await admit(context, operation);
    if ("change" in work) {
      work.require?.(actor);
    }
    const { sent, ...input } = await readInput(context, operation, id);
    const call = { operation, context, actor, input };
    if ("toTable" in work) {
      return sendTable(call, work);
    }
    if (!("decide" in work || "change" in work || "update" in work)) {
      return read(call, work);
    }
    const keyed = { ...call, key: toIdempotencyKey(context, { operation, actor, sent }) };
    return askIfHeldUp({ ...keyed, sent }, () =>
      "decide" in work
        ? decide(keyed, work)
        : inTurn({ sender: actor.integratorId, bytes: sent.text.length }, () =>
            "update" in work ? update(keyed, work) : change(keyed, work),
          ),
    );
  });
}

/**
 * Asks for approval if a change requires it. Such a change has changed nothing: its request is stored until it is
 * decided.
 */
async function askIfHeldUp(
  asked: Parameters<typeof askForApproval>[0],
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof HeldUp) {
      return askForApproval(asked, error.held);
    }
    throw error;
  }
}

/** Serves an operation that anybody may call. A credential sent with it is ignored. */
export function servePublic<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (
    context: RequestContext,
    input: Input<Q, B>,
  ) => Promise<Answer | StreamedAnswer | Reply<NoInfer<A>>>,
): Handler {
  return toHandler(operation, async (context, id) => {
    selectVersion(context, operation, null);
    const made = await work(context, await readInput(context, operation, id));
    return "contentType" in made ? made : toAnswer(operation, made);
  });
}

/** An admitted change, and the key under which its caller may repeat it. */
interface KeyedCall<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> extends Call<
  Q,
  B,
  A
> {
  key: IdempotencyKey | null;
}

/** Like `Omit`, for each member of a union. */
type Without<T, Names extends PropertyKey> = T extends unknown ? Omit<T, Names> : never;

/** How the change is decided, what to decide, and how to present the result. */
interface DecideWork<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Request extends Caller,
  Done,
> {
  decide: Procedure<IdempotencyKey, Request, Done>;
  toRequest: (input: Input<Q, B>, actor: Member) => Without<NoInfer<Request>, keyof Caller>;
  toReply: (done: NoInfer<Done>) => Reply<NoInfer<A>>;
}

function decide<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Request extends Caller,
  Done,
>(
  { operation, context, actor, input, key }: KeyedCall<Q, B, A>,
  work: DecideWork<Q, B, A, Request, Done>,
): Promise<Answer> {
  const request = context.origin;
  const caller = { actor, request, idempotencyKey: key?.name ?? null };
  return perform(work.decide, {
    key,
    integratorId: actor.integratorId,
    group: actor.integratorId,
    request,
    instance: context.path,
    // The route converts the input, so only the caller is missing.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    input: { ...work.toRequest(input, actor), ...caller } as unknown as Request,
    toAnswered: (done) => ({ answer: toAnswer(operation, work.toReply(done)) }),
  });
}

interface ChangeWork<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType, Prepared> {
  /** Refuses callers who lack every right that the body could need, before it is read. */
  require?: (actor: Member) => void;
  /** Work that must not hold a connection, such as hashing a password. Runs before the transaction. */
  prepare?: (
    place: { db: Db; actor: Member; request: RequestOrigin },
    input: Input<Q, B>,
  ) => Prepared | Promise<Prepared>;
  /** A refusal that it returns commits, and one that it throws rolls back. */
  change: (
    ctx: WriteContext,
    input: Input<Q, B>,
    prepared: NoInfer<Prepared>,
  ) => Promise<Reply<NoInfer<A>> | DomainError>;
  /**
   * The second phase: runs once all earlier writers have committed. `change` either decides alone, or announces the
   * change to later writers and returns the temporary refusal that they get. In the latter case, this decides the
   * change in the transaction of its answer.
   */
  finish?: (ctx: WriteContext) => Promise<Reply<NoInfer<A>> | DomainError>;
  /** Completes the consequences in their own transactions, before the response is sent. A repeat does so, too. */
  follow?: (db: Db, integratorId: string) => Promise<void>;
  /** Runs once the transaction has ended, with any outcome, before the answer is sent. */
  settled?: (actor: Member) => void;
}

interface UpdateWork<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Prepared,
  Resource,
> extends Pick<ChangeWork<Q, B, A, Prepared>, "prepare" | "settled"> {
  update: (
    ctx: UpdateContext<NoInfer<Resource>>,
    input: Input<Q, B>,
    prepared: NoInfer<Prepared>,
  ) => Promise<NoInfer<Resource>>;
  /** The resource as reads return it. */
  toBody: (resource: Resource) => z.input<NoInfer<A>>;
}

/**
 * Performs a change that takes `If-Match`: only if the resource is still as its caller has read it. A repeat is not
 * checked.
 */
async function update<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Prepared,
  Resource,
>(
  call: KeyedCall<Q, B, A>,
  { update: make, toBody, ...around }: UpdateWork<Q, B, A, Prepared, Resource>,
): Promise<Answer> {
  const ifMatch = readIfMatch(call.context.request);
  const requireSeen = (current: Resource) => ifMatch && requireMatch(ifMatch, toBody(current));
  const answer = await change(call, {
    ...around,
    change: async (ctx, input, prepared) => ({
      body: toBody(await make({ ...ctx, requireSeen }, input, prepared)),
    }),
  });
  return answer.status < REFUSED_FROM ? withEntityTag(answer, null) : answer;
}

async function change<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType, Prepared>(
  call: KeyedCall<Q, B, A>,
  work: ChangeWork<Q, B, A, Prepared>,
): Promise<Answer> {
  const { actor, context, input } = call;
  const { finish, follow } = work;
  const place = { db: database(), actor, request: context.origin };
  // Without `prepare`, its type is undefined.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const prepared = (await work.prepare?.(place, input)) as Prepared;
  const answer = await commit(call, (ctx) => work.change(ctx, input, prepared)).finally(() =>
    work.settled?.(actor),
  );
  try {
    if (finish && !isKept(answer)) {
      await awaitEarlierWriters(database(), "integrators");
      return await commit(call, finish);
    }
    if (follow && answer.status < REFUSED_FROM) {
      await follow(database(), actor.integratorId);
    }
    return answer;
  } catch (error) {
    throw toUnknownOutcome(error);
  }
}

/** Performs a change in the transaction of its saved answer. */
function commit<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  { operation, context, actor, key }: KeyedCall<Q, B, A>,
  work: (ctx: WriteContext) => Promise<Reply<A> | DomainError>,
): Promise<Answer> {
  const request = context.origin;
  const at = { instance: context.path, requestId: request.id };
  const idempotencyKey = key?.name ?? null;
  const answer = async (tx: WriteContext["tx"]) => {
    const reply = await work({ tx, actor, request, idempotencyKey });
    return isDomainError(reply) ? toProblemAnswer(reply, at) : toAnswer(operation, reply);
  };
  return perform(alone(idempotencyKeys, answer), {
    key,
    integratorId: actor.integratorId,
    group: null,
    request,
    instance: context.path,
    input: key,
    toAnswered: (done) => ({ answer: done }),
  });
}

/** The change itself has committed, so a failing database leaves its consequences unknown. */
function toUnknownOutcome(error: unknown): unknown {
  const code = databaseCode(error);
  return code === "database_unavailable" || code === "database_full" || code === "read_only"
    ? new DatabaseFailure(
        "outcome_unknown",
        "The change has begun and will be completed within moments. Read it again.",
        error,
      )
    : error;
}
