import type { z } from "zod";
import type { listDeprecations } from "#lib/operations/deprecations/list-deprecations.ts";
import type { Deprecation, Operation } from "#lib/operations/operation.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { listDeprecatedUses } from "#lib/access/deprecated-calls.ts";
import type { DeprecatedUse } from "#lib/access/deprecated-calls.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { listCards } from "#lib/cards/card-reads.ts";

/** A deprecated operation, with the keys that have called it. */
export type DeprecatedOperation = z.input<typeof listDeprecations.answer>["data"][number];

/** Stands in for the card of an account without one. */
const NO_CARD = "00000000-0000-7000-8000-000000000000";

/**
 * All deprecated operations, called or not. A replacement's body names an active card, so that it works without
 * changes.
 */
export async function readDeprecatedOperations(ctx: ReadContext): Promise<DeprecatedOperation[]> {
  const uses = await listDeprecatedUses(ctx);
  const newest = await listCards(ctx, { statuses: ["active"], limit: 1 });
  return toDeprecatedOperations(uses, newest.rows[0]?.id ?? null);
}

function toDeprecatedOperations(
  uses: readonly DeprecatedUse[],
  cardId: string | null,
): DeprecatedOperation[] {
  return OPERATIONS.flatMap((operation) => {
    const { id, method, path, deprecation } = operation;
    return deprecation === null
      ? []
      : {
          operation: id,
          method,
          path: `/api${path}`,
          deprecated_in: deprecation.since,
          deprecated_at: deprecation.at.toISOString(),
          sunset_at: deprecation.sunset?.toISOString() ?? null,
          replacement: {
            method: requireSuccessor(deprecation).method,
            path: `/api${deprecation.successor}`,
            body: deprecation.toSuccessorBody(cardId ?? NO_CARD),
          },
          keys: uses.filter((use) => use.operation === id).map(toDeprecatedCalls),
        };
  });
}

function toDeprecatedCalls({ apiKey, days, firstAt, lastAt }: DeprecatedUse) {
  return {
    api_key: {
      id: apiKey.id,
      name: apiKey.name,
      suffix: apiKey.suffix,
      revoked: apiKey.isRevoked,
    },
    moved: days.every(({ calls }) => calls === 0),
    calls: [...days],
    first_called_at: firstAt.toISOString(),
    last_called_at: lastAt.toISOString(),
  };
}

function requireSuccessor({ successor }: Deprecation): Operation {
  const found = OPERATIONS.find(({ path, deprecation }) => path === successor && !deprecation);
  if (!found) {
    throw new Error(`No operation has the path ${successor}.`);
  }
  return found;
}
