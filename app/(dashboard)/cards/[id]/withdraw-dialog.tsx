"use client";

import { useRef } from "react";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { Balances } from "../../../ui/balances.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource } from "./acts.ts";
import { findWithdrawn } from "../../../client/withdrawn-amount.ts";
import { formatMoney } from "#lib/base/money.ts";

/** Withdraws everything available on a card, even a frozen one, to the float. */
export function WithdrawDialog({
  card,
  currency,
  floatAvailable,
  onClose,
}: {
  card: CardResource;
  currency: string;
  floatAvailable: number;
  onClose: () => void;
}) {
  const { available } = card;
  const requestId = useRef("");
  const withdraw = useOperation(
    OPERATIONS.debitCard,
    () => {
      onClose();
      void notifyWithdrawn(card, requestId.current);
    },
    ({ responseHeaders }) => {
      requestId.current = responseHeaders.get("X-Request-Id") ?? "";
    },
  );
  return (
    <Dialog
      onClose={onClose}
      title={`Withdraw all from ${toCardTitle(card.card_name, card.last4)}`}
    >
      <DialogForm
        action={`Withdraw ${formatMoney(available, currency)}`}
        error={withdraw.error}
        isPending={withdraw.isPending}
        onCancel={onClose}
        onSubmit={() => withdraw.mutate({ body: { card_id: card.id, amount: "all" } })}
      >
        <p className="text-muted">{`The available balance returns to the float${card.held > 0 ? "; funds on hold stay on the card." : "."}`}</p>
        <Balances
          changes={[
            { name: "Float available", before: floatAvailable, after: floatAvailable + available },
            { name: "Card available", before: available, after: 0 },
          ]}
          currency={currency}
        />
      </DialogForm>
    </Dialog>
  );
}

/** Names the amount that was moved, unless it is unknown. */
async function notifyWithdrawn({ id, currency }: CardResource, requestId: string): Promise<void> {
  const amount = await findWithdrawn(id, requestId);
  const moved = amount === null ? "Available balance" : formatMoney(amount, currency);
  notify(`${moved} returned to the float.`);
}
