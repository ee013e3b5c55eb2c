import type { Change } from "../../../ui/balances.tsx";
import type { FoundApproval } from "./find-approval.ts";

/** Where the funds of each operation go: to the float, from it, or, for a top-up, into it from outside. */
const DIRECTIONS: Readonly<Record<string, "from float" | "to float" | "from outside">> = {
  creditCard: "from float",
  topUpCard: "from float",
  debitCard: "to float",
  closeCard: "to float",
  replaceCard: "to float",
  topUpFloat: "from outside",
};

/** The balances now and after the approval. Empty for a request that moves nothing, or that covers several cards. */
export function toChanges({ approval, card, float }: FoundApproval): Change[] {
  const direction = DIRECTIONS[approval.operation];
  if (approval.amount === null || direction === undefined) {
    return [];
  }
  const toFloat = direction === "from float" ? -approval.amount : approval.amount;
  const changes = [
    { name: "Float available", before: float.available, after: float.available + toFloat },
  ];
  return card && direction !== "from outside"
    ? [
        ...changes,
        { name: "Card available", before: card.available, after: card.available - toFloat },
      ]
    : changes;
}
