"use client";

import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { Money } from "../../../ui/money.tsx";
import { SeeAll } from "../../../ui/see-all.tsx";
import type { Held } from "./open-holds.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource } from "./acts.ts";
import { toCardTitle } from "../../../ui/card-title.ts";
import { FreezeFields, useFreezeTerms, useNewFreeze } from "../freeze-fields.tsx";
import { FreezeNotice } from "./freeze-notice.tsx";
import { afterStatusConflict } from "./after-status-conflict.ts";
import { useStatusNotice } from "./use-status-notice.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

/** Asks for the reason, the level, and the end of a freeze, and says what it will do. */
export function FreezeDialog({
  card,
  holds,
  onClose,
  onChanged,
}: {
  card: CardResource;
  holds: Held;
  onClose: () => void;
  onChanged: (card: CardResource) => void;
}) {
  const notice = useStatusNotice(onChanged);
  const freeze = useOperation(OPERATIONS.freezeCard);
  const form = useNewFreeze(freeze.error);
  const toTerms = useFreezeTerms();
  // If somebody else has made this freeze in the meantime, the choices made here are added to theirs.
  const isDone = (now: CardResource) =>
    hasFreeze(now, form.values.level) && form.values.reason === null && form.values.end === "kept";
  const recover = async (error: unknown) => {
    const now = await afterStatusConflict(card, error, { isDone, onChanged, onClose });
    if (now) {
      send(now);
    }
  };
  const send = (seen: CardResource) => {
    const body = { ...toTerms(form.values), status_version: seen.status_version };
    const onSuccess = (frozen: CardResource) => {
      onChanged(frozen);
      onClose();
      notice.frozen(frozen, seen);
    };
    void form.send(OPERATIONS.freezeCard, body, () =>
      freeze.mutate({ id: card.id, body }, { onSuccess, onError: (error) => void recover(error) }),
    );
  };
  return (
    <Dialog onClose={onClose} title={`Freeze ${toCardTitle(card.card_name, card.last4)}`}>
      <DialogForm
        action={toAction(card, form.values.level)}
        error={freeze.error}
        isPending={freeze.isPending}
        onCancel={onClose}
        onSubmit={() => send(card)}
      >
        {card.status === "frozen" ? (
          <FreezeNotice card={card} />
        ) : (
          <Consequences card={card} holds={holds} />
        )}
        <FreezeFields form={form} stands={hasFreeze(card, form.values.level)} />
      </DialogForm>
    </Dialog>
  );
}

function hasFreeze({ freezes }: CardResource, level: FreezeLevel): boolean {
  return freezes.some((freeze) => freeze.level === level);
}

function toAction(card: CardResource, level: FreezeLevel): string {
  if (card.status !== "frozen") {
    return "Freeze card";
  }
  return hasFreeze(card, level) ? "Change freeze" : "Add freeze";
}

function Consequences({ card, holds }: { card: CardResource; holds: Held }) {
  return (
    <ul className="text-muted list-disc space-y-1 pl-5">
      <li>New transactions are declined immediately.</li>
      <li>
        {holds.count > 0 ? (
          <StillSettling card={card} holds={holds} />
        ) : (
          <span>There are no open authorizations left to settle.</span>
        )}
      </li>
      <li>Refunds still arrive, and you can still move funds.</li>
    </ul>
  );
}

const HOLDS_SHOWN = 4;

/** Freezing does not undo what was approved before. */
function StillSettling({ card, holds }: { card: CardResource; holds: Held }) {
  const rest = holds.rows.slice(HOLDS_SHOWN);
  const others = holds.count - holds.rows.length;
  return (
    <>
      <span>
        {holds.count === 1
          ? "1 open authorization can still settle. It holds "
          : `${holds.count} open authorizations can still settle. They hold `}
      </span>
      <Money amount={card.held} className="text-foreground font-medium" currency={card.currency} />
      <span>.</span>
      <ul aria-label="Open authorizations" className="mt-1">
        <HeldRows currency={card.currency} rows={holds.rows.slice(0, HOLDS_SHOWN)} />
      </ul>
      {rest.length > 0 && (
        <SeeAll count={holds.count}>
          <ul aria-label="Other open authorizations">
            <HeldRows currency={card.currency} rows={rest} />
            {others > 0 && <li>{`and ${others} that expire later`}</li>}
          </ul>
        </SeeAll>
      )}
    </>
  );
}

function HeldRows({ rows, currency }: { rows: Held["rows"]; currency: string }) {
  return rows.map(({ id, name, open }) => (
    <li className="flex justify-between gap-3" key={id}>
      <bdi className="min-w-0 truncate">{name}</bdi>
      <Money amount={open} currency={currency} />
    </li>
  ));
}
