"use client";

import { useForm } from "../../../client/use-form.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { Money } from "../../../ui/money.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import type { StatusChange } from "./act-dialog.tsx";
import type { CardResource } from "./card-view.tsx";
import { useStatusChange } from "./use-status-change.ts";
import { FREEZE_REASON_NAMES, FREEZE_REASONS } from "#lib/card-state.ts";
import type { FreezeReason } from "#lib/card-state.ts";

const freezeCard = () =>
  import("#lib/api/contract/cards.ts").then((contract) => contract.freezeCard);

const REASONS = FREEZE_REASONS.map((id) => ({ id, name: FREEZE_REASON_NAMES[id] }));

/** Asks why a card is to be frozen, and says what that will do. */
export function FreezeDialog({
  card,
  onClose,
  onStatus,
}: {
  card: CardResource;
  onClose: () => void;
  onStatus: (change: StatusChange) => void;
}) {
  const freeze = useStatusChange("frozen", { onClose, onStatus });
  const form = useForm<{ reason: FreezeReason | null; comment: string }>(
    { reason: null, comment: "" },
    freeze.error,
  );
  const submit = () => {
    const { reason, comment } = form.values;
    const body = { reason, comment: comment.trim() || null };
    void form.send(freezeCard, body, () => freeze.mutate({ id: card.id, body }));
  };
  return (
    <Dialog isOpen onClose={onClose} title="Freeze this card">
      <DialogForm
        action="Freeze card"
        error={freeze.error}
        isPending={freeze.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <Consequences card={card} />
        <Choice
          error={form.errors["reason"]}
          label="Reason"
          onChange={(reason) => form.set("reason", reason)}
          options={REASONS}
          placeholder="None given"
          value={form.values.reason}
        />
        <TextInput
          error={form.errors["comment"]}
          label="Comment"
          maxLength={255}
          multiline
          onChange={(comment) => form.set("comment", comment)}
          value={form.values.comment}
        />
      </DialogForm>
    </Dialog>
  );
}

function Consequences({ card }: { card: CardResource }) {
  return (
    <ul className="text-muted list-disc space-y-1 pl-5">
      <li>Every new transaction on it is declined, from this moment on.</li>
      <li>
        {card.held > 0 ? (
          <>
            <Money amount={card.held} currency={card.currency} /> is held by open authorisations:
            they can still settle or be released.
          </>
        ) : (
          <>Nothing is held: no earlier authorisation can still settle.</>
        )}
      </li>
      <li>Refunds still arrive, and you can still move its money.</li>
    </ul>
  );
}
