"use client";

import { useForm } from "../../../client/use-form.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { Money } from "../../../ui/money.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import type { Act } from "./card-view.tsx";
import type { FreezeState } from "./use-freeze.ts";
import { freezeCard, unfreezeCard } from "#lib/api/contract/cards.ts";
import { FREEZE_REASON_NAMES, FREEZE_REASONS } from "#lib/card-state.ts";
import type { FreezeReason } from "#lib/card-state.ts";

const REASONS = FREEZE_REASONS.map((id) => ({ id, name: FREEZE_REASON_NAMES[id] }));

/** Asks why a card is to be frozen, or unfrozen, and says what that will do. */
export function FreezeDialog({
  act,
  freeze,
  onClose,
}: {
  act: Act | null;
  freeze: FreezeState;
  onClose: () => void;
}) {
  return (
    <>
      <Dialog isOpen={act === "freeze"} onClose={onClose} title="Freeze this card">
        <FreezeForm onClose={onClose} state={freeze} />
      </Dialog>
      <Dialog isOpen={act === "unfreeze"} onClose={onClose} title="Unfreeze this card">
        <UnfreezeForm onClose={onClose} state={freeze} />
      </Dialog>
    </>
  );
}

function FreezeForm({ state, onClose }: { state: FreezeState; onClose: () => void }) {
  const { card, freeze } = state;
  const form = useForm<{ reason: FreezeReason | null; comment: string }>(
    { reason: null, comment: "" },
    freeze.error,
  );
  const submit = () => {
    const { reason, comment } = form.values;
    const body = { reason, comment: comment.trim() || null };
    if (form.check(freezeCard.body, body)) {
      freeze.mutate({ id: card.id, body });
    }
  };
  return (
    <DialogForm
      action="Freeze card"
      error={freeze.error}
      isPending={freeze.isPending}
      onCancel={onClose}
      onSubmit={submit}
    >
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
  );
}

function UnfreezeForm({ state, onClose }: { state: FreezeState; onClose: () => void }) {
  const { card, unfreeze } = state;
  const form = useForm({ comment: "" }, unfreeze.error);
  const submit = () => {
    const body = { comment: form.values.comment.trim() || null };
    if (form.check(unfreezeCard.body, body)) {
      unfreeze.mutate({ id: card.id, body });
    }
  };
  return (
    <DialogForm
      action="Unfreeze card"
      error={unfreeze.error}
      isPending={unfreeze.isPending}
      onCancel={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        New transactions on it are approved again, as far as funds reach.
      </p>
      <TextInput
        error={form.errors["comment"]}
        label="Comment"
        maxLength={255}
        multiline
        onChange={(comment) => form.set("comment", comment)}
        value={form.values.comment}
      />
    </DialogForm>
  );
}
