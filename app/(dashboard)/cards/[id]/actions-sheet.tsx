"use client";

import { Overlay } from "../../../ui/overlay.tsx";
import { ActionButton } from "./action-button.tsx";
import type { Action } from "./actions.ts";
import type { Act } from "./acts.ts";

/** The actions of a card on a phone, one below the other. */
export function ActionsSheet({
  actions,
  onAct,
  onClose,
}: {
  actions: readonly Action[];
  onAct: (act: Act) => void;
  onClose: () => void;
}) {
  return (
    <Overlay backdrop="p-0" className="sheet" label="More actions" onClose={onClose}>
      {actions.map((action) => (
        <ActionButton action={action} key={action.act} onAct={onAct} />
      ))}
    </Overlay>
  );
}
