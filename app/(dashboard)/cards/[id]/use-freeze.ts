"use client";

import { toast } from "@heroui/react";
import { useState } from "react";
import { useOperation } from "../../../client/use-operation.ts";
import type { CardResource } from "./card-view.tsx";
import { freezeCard, unfreezeCard } from "#lib/api/contract/cards.ts";

/**
 * Freezing and unfreezing, shown at once and taken back when it is refused: the one change that is harmless to show
 * before the server has made it.
 */
export function useFreeze(saved: CardResource, onDone: () => void) {
  const [answered, setAnswered] = useState<CardResource | null>(null);
  const done = (card: CardResource) => {
    setAnswered(card);
    onDone();
    toast.success(
      card.status === "frozen"
        ? "Frozen: every new transaction on this card is declined."
        : "Unfrozen: new transactions are approved again.",
    );
  };
  const freeze = useOperation(freezeCard, done);
  const unfreeze = useOperation(unfreezeCard, done);
  const known = answered && answered.updated_at > saved.updated_at ? answered : saved;
  const status = freeze.isPending ? "frozen" : unfreeze.isPending ? "active" : known.status;
  return { card: { ...known, status }, freeze, unfreeze };
}

export type FreezeState = ReturnType<typeof useFreeze>;
