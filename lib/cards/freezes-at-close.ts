import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { WriteContext } from "#lib/base/context.ts";
import type { Freeze } from "#lib/cards/card-resource.ts";
import { cardStateChanges } from "#db/schema/cards.ts";

/** The freezes that stood on a card when it was closed, with the time of the last change of each. */
export async function findFreezesAtClose(
  { tx, actor }: WriteContext,
  cardId: string,
): Promise<Pick<Freeze, "level" | "frozenAt">[]> {
  const rows = await tx
    .selectDistinctOn([cardStateChanges.level], {
      level: cardStateChanges.level,
      lifted: cardStateChanges.lifted,
      frozenAt: cardStateChanges.createdAt,
    })
    .from(cardStateChanges)
    .where(
      and(
        eq(cardStateChanges.integratorId, actor.integratorId),
        eq(cardStateChanges.cardId, cardId),
        isNotNull(cardStateChanges.level),
      ),
    )
    .orderBy(cardStateChanges.level, desc(cardStateChanges.id));
  return rows.flatMap(({ level, lifted, frozenAt }) =>
    level === null || lifted ? [] : [{ level, frozenAt }],
  );
}
