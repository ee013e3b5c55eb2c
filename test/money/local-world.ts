import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";
import type { MoneyWorld } from "./money-world.ts";

/** Lives on the API of this process. */
export async function openLocalWorld(): Promise<MoneyWorld> {
  return {
    db: testDatabase().db,
    processorKey: await newProcessorKey(),
    call,
    open: async ({ float, balance, singleUse }) => {
      const integrator = await newIntegrator(float + singleUse.length * balance);
      const cardIds: string[] = [];
      for (const each of singleUse) {
        const card = await newCard(integrator, balance, { singleUse: each });
        cardIds.push(card.id);
      }
      return { ...integrator, cardIds };
    },
  };
}
