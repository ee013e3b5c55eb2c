import type { z } from "zod";
import { admit } from "#lib/api/edge/internal/admit.ts";
import { readInput, toIdempotencyKey } from "#lib/api/edge/read-input.ts";
import { alone } from "#lib/api/replay/alone.ts";
import { idempotencyKeys } from "#lib/api/replay/idempotency-keys.ts";
import type { IdempotencyKey } from "#lib/api/replay/idempotency-keys.ts";
import { perform } from "#lib/api/replay/perform.ts";
import { toAnswer, toProblemAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, Reply } from "#lib/api/wire/answer.ts";
import type { Operation } from "#lib/operations/operation.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import type { Member } from "#lib/base/actor.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import type { DomainError } from "#lib/base/errors.ts";
import { database } from "#db/client.ts";

/** A validated change by an authorized caller, and the key under which it may be repeated. */
export async function readChange<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  context: RequestContext,
  operation: Operation<Q, B, A>,
  id: string,
) {
  const actor = await admit(context, operation);
  const input = await readInput(context, operation, id);
  const key = toIdempotencyKey(context, { operation, actor, sent: input.sent });
  return { actor, input, key };
}

/**
 * Performs a write in the transaction of its saved answer. A refusal that the work returns commits, and one that it throws
 * rolls back.
 */
export function performWrite<A extends z.ZodType>(
  change: {
    operation: Operation<z.ZodType, z.ZodType, A>;
    context: RequestContext;
    actor: Member;
    key: IdempotencyKey | null;
  },
  work: (ctx: WriteContext) => Promise<Reply<A> | DomainError>,
): Promise<Answer> {
  const { operation, context, actor, key } = change;
  const request = context.origin;
  const idempotencyKey = key?.name ?? null;
  return perform(
    database(),
    {
      key,
      group: null,
      request,
      instance: context.path,
      input: null,
      toOutcome: (answer) => ({ answer }),
    },
    alone(idempotencyKeys, key, async (tx) => {
      const reply = await work({ tx, actor, request, idempotencyKey });
      return isDomainError(reply)
        ? toProblemAnswer(reply, { instance: context.path, requestId: request.id })
        : toAnswer(operation, reply);
    }),
  );
}
