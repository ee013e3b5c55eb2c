import type { z } from "zod";
import { bind } from "#lib/api/edge/bind.ts";
import type { Handler } from "#lib/api/edge/bind.ts";
import { performWrite, readChange } from "#lib/api/edge/internal/change.ts";
import type { Input } from "#lib/api/edge/read-input.ts";
import { isKept } from "#lib/api/wire/answer.ts";
import type { Reply } from "#lib/api/wire/answer.ts";
import type { Operation } from "#lib/operations/operation.ts";
import type { WriteContext } from "#lib/base/context.ts";
import type { DomainError } from "#lib/base/errors.ts";
import { REFUSED_FROM } from "#lib/record/request-classes.ts";
import { database } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { awaitEarlierWriters } from "#db/earlier-writers.ts";
import { DatabaseFailure, databaseCode } from "#db/failures.ts";

/**
 * Binds a write operation whose consequences follow in transactions of their own. They are complete
 * before the answer is sent, also before that of a repeat.
 */
export function handleFollowed<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: (ctx: WriteContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>>,
  follow: (db: Db, integratorId: string) => Promise<void>,
): Handler {
  return bind(operation, async (context, id) => {
    const { actor, key, input } = await readChange(context, operation, id);
    const answer = await performWrite({ operation, context, actor, key }, (ctx) =>
      work(ctx, input),
    );
    if (answer.status < REFUSED_FROM) {
      await follow(database(), actor.integratorId).catch((error: unknown) => {
        throw toUnknownOutcome(error);
      });
    }
    return answer;
  });
}

/**
 * Binds a write operation that can only be decided once everyone who has read the integrator's row earlier has finished
 * writing. `begin` decides it, or announces it to later writers and returns the passing refusal that they get; `conclude`
 * then decides it in the transaction of its answer. A refusal that they return commits, and one that they throw rolls back.
 */
export function handleAnnounced<A extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, A>,
  steps: {
    begin: (ctx: WriteContext) => Promise<Reply<NoInfer<A>> | DomainError>;
    conclude: (ctx: WriteContext) => Promise<Reply<NoInfer<A>> | DomainError>;
  },
): Handler {
  return bind(operation, async (context, id) => {
    const { actor, key } = await readChange(context, operation, id);
    const change = { operation, context, actor, key };
    const begun = await performWrite(change, steps.begin);
    if (isKept(begun)) {
      return begun;
    }
    try {
      await awaitEarlierWriters(database(), "integrators");
      return await performWrite(change, steps.conclude);
    } catch (error) {
      throw toUnknownOutcome(error);
    }
  });
}

/** The change itself has committed, so a failing database leaves its consequences unknown. */
function toUnknownOutcome(error: unknown): unknown {
  return databaseCode(error) === "database_unavailable"
    ? new DatabaseFailure(
        "outcome_unknown",
        "The change has begun and will be completed within moments. Read it again.",
        error,
      )
    : error;
}
