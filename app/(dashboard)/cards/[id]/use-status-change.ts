"use client";

import { notify } from "../../../client/notices.tsx";
import { useOperation } from "../../../client/use-operation.ts";
import type { StatusChange } from "./act-dialog.tsx";

const freezeCard = () =>
  import("#lib/api/contract/cards.ts").then((contract) => contract.freezeCard);
const unfreezeCard = () =>
  import("#lib/api/contract/cards.ts").then((contract) => contract.unfreezeCard);

const WAYS = {
  frozen: {
    operation: freezeCard,
    done: "Frozen: every new transaction on this card is declined.",
  },
  active: { operation: unfreezeCard, done: "Unfrozen: new transactions are approved again." },
} as const;

/**
 * Freezing or unfreezing, shown at once and taken back when it is refused: the one change that is harmless to show
 * before the server has made it.
 */
export function useStatusChange(
  to: keyof typeof WAYS,
  { onClose, onStatus }: { onClose: () => void; onStatus: (change: StatusChange) => void },
) {
  const freeze = useOperation(freezeCard);
  const unfreeze = useOperation(unfreezeCard);
  const change = to === "frozen" ? freeze : unfreeze;
  return {
    error: change.error,
    isPending: change.isPending,
    mutate: (
      input: Parameters<typeof freeze.mutate>[0] & Parameters<typeof unfreeze.mutate>[0],
    ) => {
      onStatus({ pending: to });
      change.mutate(input, {
        onSuccess: (answered) => {
          onStatus({ answered });
          onClose();
          notify(WAYS[to].done);
        },
        onSettled: () => onStatus({ pending: null }),
      });
    },
  };
}
