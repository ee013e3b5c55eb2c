import type { ActorRef } from "#lib/base/actor.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { newId } from "#lib/base/ids.ts";
import type { Agenda } from "#lib/operator/internal/demo-agenda.ts";
import type { Member } from "#lib/operator/internal/demo-cast.ts";
import type { SeededRandom } from "#lib/base/seeded-random.ts";
import type { Tx } from "#db/transaction.ts";

/** Where the demo happens. */
export interface Scene {
  tx: Tx;
  integratorId: string;
  agenda: Agenda;
  random: SeededRandom;
  /** In the order of the cast; without those who have not joined yet. */
  holders: Holder[];
  /** Who acts in the demo. */
  refs: Record<"owner" | "key" | "network", ActorRef>;
}

/** A cardholder with their current card. */
export interface Holder extends Member {
  cardholderId: string;
  cardId: string;
  /** They have left the company. */
  left: boolean;
}

/** The context of one request by one of them. */
export function asActor({ tx, integratorId }: Scene, ref: ActorRef): WriteContext {
  return {
    tx,
    actor: { integratorId, ref },
    request: { id: newId(), address: null, agent: "demo" },
  };
}
